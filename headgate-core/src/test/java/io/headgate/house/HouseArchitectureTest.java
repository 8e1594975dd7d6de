package io.headgate.house;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.headgate.house.fixture.TokenManager;
import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What may depend on what, and what things may be called. Every rule holds for the house, and is broken by the fixture: a rule that
 * cannot fail guards nothing.
 */
class HouseArchitectureTest {

    private static final String HOUSE = "io.headgate";
    private static final String FIXTURE = TokenManager.class.getPackageName();

    private static final JavaClasses house = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(HOUSE);
    private static final JavaClasses fixture = new ClassFileImporter().importPackages(FIXTURE);

    enum Rule {
        THE_ROOT_SEES_NO_SUB_PACKAGE(root -> noClasses()
                .that()
                .resideInAPackage(root)
                .and(doNotBelongTo("Headgate"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(root + ".(*)..")),

        /** But for the engine, which all may use and which itself sees none of them. */
        SUB_PACKAGES_NEVER_SEE_EACH_OTHER(root -> slices().matching(root + ".(*)..")
                .should()
                .notDependOnEachOther()
                .ignoreDependency(alwaysTrue(), resideInAPackage(root + ".engine.."))),

        NOTHING_BUT_THE_JDK_AND_JSPECIFY(root -> classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(root + "..", "java..", "org.jspecify..")),

        ONE_PLACE_READS_THE_CLOCKS(root -> noClasses()
                .that(doNotBelongTo("AnchoredTime"))
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Clock.class)),

        NOBODY_SLEEPS(root -> noClasses()
                .should()
                .callMethod(Thread.class, "sleep", long.class)
                .orShould()
                .callMethod(Object.class, "wait")
                .orShould()
                .callMethod(Object.class, "wait", long.class)),

        /** Known bug T11: a period that a timer rounds is one that never ends, or ends late. Alarms are for those who wait. */
        NOTHING_COMES_BACK_BY_A_TIMER(root -> noClasses()
                .that(doNotBelongTo("TimeSource"))
                .should()
                .dependOnClassesThat()
                .haveNameMatching("java\\.util\\.(Timer.*|concurrent\\.Scheduled.*)")
                .orShould()
                .callMethod(CompletableFuture.class, "delayedExecutor", long.class, TimeUnit.class)
                .orShould()
                .callMethod(CompletableFuture.class, "orTimeout", long.class, TimeUnit.class)
                .orShould()
                .callMethod(CompletableFuture.class, "completeOnTimeout", Object.class, long.class, TimeUnit.class)),

        NAMES_SAY_WHAT_A_THING_IS(
                root -> noClasses().should().haveNameMatching(".*(Manager|Helper|Util|Utils|Impl)(\\$.*)?")),

        VALUES_ARE_READ_WITHOUT_GET(root -> noMethods()
                .that()
                .areDeclaredInClassesThat()
                .areRecords()
                .should()
                .haveNameMatching("get[A-Z].*"));

        @SuppressWarnings("ImmutableEnumChecker") // the functions hold nothing
        private final Function<String, ArchRule> of;

        Rule(Function<String, ArchRule> of) {
            this.of = of;
        }
    }

    @ParameterizedTest
    @EnumSource
    void holdsForTheHouse(Rule rule) {
        rule.of.apply(HOUSE).check(house);
    }

    @ParameterizedTest
    @EnumSource
    void isBrokenByTheFixture(Rule rule) {
        assertThat(rule.of.apply(FIXTURE).evaluate(fixture).hasViolation()).isTrue();
    }

    private static DescribedPredicate<JavaClass> doNotBelongTo(String topLevel) {
        return DescribedPredicate.describe(
                "do not belong to " + topLevel, type -> !type.getName().matches(".*\\." + topLevel + "(\\$.*)?"));
    }
}
