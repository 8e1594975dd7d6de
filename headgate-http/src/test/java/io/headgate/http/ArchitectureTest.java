package io.headgate.http;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/** The shape of the module, and for each rule a fixture that breaks it. */
class ArchitectureTest {

    private static final String HERE = "io.headgate.http";
    private static final String FIXTURE = "io.headgate.http.fixture";

    private static final JavaClasses MODULE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(HERE);
    private static final JavaClasses FIXTURES = new ClassFileImporter().importPackages(FIXTURE);

    @Test
    void looksAtTheRealClasses() {
        assertThat(MODULE.contain(Gate.class)).isTrue();
        assertThat(MODULE.contain(ArchitectureTest.class)).isFalse();
    }

    @Test
    void theRootLooksAtNoneOfItsSubPackages() {
        rootSeesNoSubPackage(HERE).check(MODULE);
        breaks(rootSeesNoSubPackage(FIXTURE), "RootThatLooksDown");
    }

    @Test
    void subPackagesNeverSeeASibling() {
        siblingsAreStrangers(HERE).allowEmptyShould(true).check(MODULE);
        breaks(siblingsAreStrangers(FIXTURE), "SiblingThatLooksAside");
    }

    @Test
    void dependsOnTheContractsOfTheCoreAndNothingElse() {
        needsNothingElse(HERE).check(MODULE);
        breaks(needsNothingElse(FIXTURE), "StrangerInTheHouse");
        breaks(needsNothingElse(FIXTURE), "SeesTheStore");
    }

    private static ArchRule rootSeesNoSubPackage(String root) {
        return noClasses()
                .that(resideInAPackage(root))
                .should()
                .dependOnClassesThat(resideInAPackage(root + ".(*)..").and(not(resideInAPackage(root))));
    }

    private static ArchRule siblingsAreStrangers(String root) {
        return slices().matching(root + ".(*)..").should().notDependOnEachOther();
    }

    private static ArchRule needsNothingElse(String root) {
        return noClasses()
                .that(resideInAPackage(root + ".."))
                .should()
                .dependOnClassesThat(not(resideInAnyPackage(
                        "java..",
                        "javax.net.ssl",
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
