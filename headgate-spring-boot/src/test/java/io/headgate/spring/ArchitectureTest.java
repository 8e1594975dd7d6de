package io.headgate.spring;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The shape of the two Spring modules, and for each rule a fixture that breaks it. */
class ArchitectureTest {

    private static final String HERE = "io.headgate.spring";
    private static final String FIXTURE = "io.headgate.spring.fixture";

    /** What an application may be without, and the packages that know of it beside the wiring; "" is the root. */
    private static final Map<String, List<String>> OPTIONAL = Map.ofEntries(
            entry("jakarta.servlet..", List.of("servlet", "webflux")),
            entry("org.eclipse.jetty..", List.of("")),
            entry("org.springframework.web.server..", List.of("webflux")),
            entry("org.springframework.security..", List.of("webflux")),
            entry("org.springframework.boot..", List.of("boot")),
            entry("io.micrometer..", List.of("boot.actuate")),
            entry("org.springframework.boot.actuate..", List.of("boot.actuate")),
            entry("java.sql..", List.of("boot.source")),
            entry("kotlin..", List.of("method")),
            entry("kotlinx..", List.of("method")),
            entry("io.headgate.redis..", List.of()));

    private static final JavaClasses MODULE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(place -> !place.contains("/boot3/")) // wiring in a module of its own
            .importPackages(HERE);
    private static final JavaClasses FIXTURES = new ClassFileImporter().importPackages(FIXTURE);

    @Test
    void looksAtTheRealClasses() {
        assertThat(MODULE.contain(RequestCharges.class)).isTrue();
        assertThat(MODULE.contain(ArchitectureTest.class)).isFalse();
    }

    @Test
    void theRootLooksAtNoneOfItsSubPackages() {
        rootSeesNoSubPackage(HERE).check(MODULE);
        breaks(rootSeesNoSubPackage(FIXTURE), "RootThatLooksDown");
    }

    @Test
    void subPackagesNeverSeeASiblingButForTheWiring() {
        siblingsAreStrangers(HERE, "boot").check(MODULE);
        siblingsAreStrangers(HERE + ".boot", "autoconfigure").check(MODULE);
        breaks(siblingsAreStrangers(FIXTURE, "boot"), "SiblingThatLooksAside");
    }

    @Test
    void whatMayBeMissingIsNeededInOnePlace() {
        OPTIONAL.forEach((what, where) -> {
            onlyNeededBy(what, where, HERE).check(MODULE);
            breaks(onlyNeededBy(what, where, FIXTURE), "StrangerInTheHouse");
        });
    }

    private static ArchRule rootSeesNoSubPackage(String root) {
        return noClasses()
                .that(resideInAPackage(root))
                .should()
                .dependOnClassesThat(resideInAPackage(root + ".(*)..").and(not(resideInAPackage(root))));
    }

    private static ArchRule siblingsAreStrangers(String root, String wiring) {
        return slices().matching(root + ".(*)..")
                .should()
                .notDependOnEachOther()
                .ignoreDependency(resideInAPackage(root + "." + wiring + ".."), alwaysTrue());
    }

    private static ArchRule onlyNeededBy(String what, List<String> where, String root) {
        String[] known = where.stream()
                .map(name -> name.isEmpty() ? root : root + "." + name + "..")
                .toArray(String[]::new);
        return noClasses()
                .that(resideInAPackage(root + ".."))
                .and(not(resideInAnyPackage(known)))
                .and(not(resideInAPackage(root + ".boot.autoconfigure..")))
                .should()
                .dependOnClassesThat(resideInAPackage(what));
    }

    private void breaks(ArchRule rule, String culprit) {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> rule.check(FIXTURES))
                .withMessageContaining(culprit);
    }
}
