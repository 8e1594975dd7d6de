package io.headgate.redis;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/** The shape of the module, and for each rule a fixture that breaks it. The root puts the sub-packages together, so it sees them. */
class ArchitectureTest {

    private static final String HERE = "io.headgate.redis";
    private static final String FIXTURE = "io.headgate.redis.fixture";

    private static final JavaClasses MODULE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(HERE);
    private static final JavaClasses FIXTURES = new ClassFileImporter().importPackages(FIXTURE);

    @Test
    void looksAtTheRealClasses() {
        assertThat(MODULE.contain("io.headgate.redis.script.BoundScript")).isTrue();
        assertThat(MODULE.contain(ArchitectureTest.class)).isFalse();
    }

    @Test
    void theRootHasTheStoreAndItsBuilderAlone() {
        assertThat(MODULE.stream()
                        .filter(each -> each.getPackageName().equals(HERE))
                        .filter(each ->
                                each.isTopLevelClass() && each.getModifiers().contains(JavaModifier.PUBLIC)))
                .extracting(JavaClass::getSimpleName)
                .containsExactlyInAnyOrder("RedisStore", "RedisStoreBuilder");
    }

    @Test
    void subPackagesNeverSeeEachOther() {
        siblingsAreStrangers(HERE).check(MODULE);
        breaks(siblingsAreStrangers(FIXTURE), "SeesANeighbour");
    }

    @Test
    void subPackagesNeverLookAtTheRoot() {
        rootIsOutOfSight(HERE).check(MODULE);
        breaks(rootIsOutOfSight(FIXTURE), "LooksUp");
    }

    @Test
    void onlyTheConnectionKnowsTheClientLibrary() {
        needsNothingElse(HERE).check(MODULE);
        breaks(needsNothingElse(FIXTURE), "SeesTheClient");
        breaks(needsNothingElse(FIXTURE), "SeesTheMemoryStore");
    }

    private static ArchRule siblingsAreStrangers(String root) {
        return slices().matching(root + ".(*)..").should().notDependOnEachOther();
    }

    private static ArchRule rootIsOutOfSight(String root) {
        return noClasses()
                .that(resideInAPackage(root + ".(*).."))
                .and(not(resideInAPackage(root)))
                .should()
                .dependOnClassesThat(resideInAPackage(root));
    }

    private static ArchRule needsNothingElse(String root) {
        return noClasses()
                .that(resideInAnyPackage(root + ".script..", root + ".pipeline.."))
                .should()
                .dependOnClassesThat(not(resideInAnyPackage(
                        "java..",
                        "javax.crypto..",
                        "io.headgate",
                        "io.headgate.engine",
                        "org.jspecify.annotations",
                        root + "..")));
    }

    private void breaks(ArchRule rule, String culprit) {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> rule.check(FIXTURES))
                .withMessageContaining(culprit);
    }
}
