package io.bucketwright.app;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Arrays;
import java.util.stream.Stream;

/** The house of docs/architecture.md: which part may know which. */
@AnalyzeClasses(packages = "io.bucketwright", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule theApiKnowsOnlyTheModelOfKubernetes =
            onlyKnows("api", "io.fabric8..", "com.fasterxml.jackson..", "io.bucketwright.api..");

    @ArchTest
    static final ArchRule theEngineKnowsNoKindOfOurs = noClasses()
            .that()
            .resideInAPackage("io.bucketwright.runtime..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.bucketwright.api..",
                    "io.bucketwright.local..",
                    "io.bucketwright.testing..",
                    "io.bucketwright.app..");

    @ArchTest
    static final ArchRule theStoreInterfaceKnowsNoKubernetesAndNoVendor = onlyKnows(
            "store",
            "io.bucketwright.store..",
            "org.apiguardian..",
            "software.amazon.awssdk..",
            "org.junit..",
            "org.assertj..");

    @ArchTest
    static final ArchRule aVendorsSdkStaysInItsStore = noClasses()
            .that()
            .resideOutsideOfPackages("io.bucketwright.store.s3..", "io.bucketwright.app.demo..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("software.amazon.awssdk..");

    @ArchTest
    static final ArchRule theBucketControllerKnowsStoresOnlyByTheirInterface = noClasses()
            .that()
            .resideInAPackage("io.bucketwright.buckets..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.bucketwright.store.s3..", "io.bucketwright.local..", "io.bucketwright.app..");

    @ArchTest
    static final ArchRule aCosiDriverAndItsJudgeKnowNoKubernetesAndNoVendor = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.bucketwright.cosi.wire..", "io.bucketwright.cosi.driver..", "io.bucketwright.cosi.sanity..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.fabric8..",
                    "io.bucketwright.api..",
                    "io.bucketwright.runtime..",
                    "io.bucketwright.store.s3..",
                    "io.bucketwright.local..",
                    "software.amazon.awssdk..");

    @ArchTest
    static final ArchRule onlyCosiSpeaksGrpc = noClasses()
            .that()
            .resideOutsideOfPackages("io.bucketwright.cosi..", "io.bucketwright.app.cosi..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.grpc..", "com.google.protobuf..");

    @ArchTest
    static final ArchRule theLocalClusterKnowsNothingOfTheRestAndNoKubernetesClient =
            onlyKnows("local", "org.bouncycastle..", "com.fasterxml.jackson..", "io.bucketwright.local..");

    @ArchTest
    static final ArchRule nothingThatShipsKnowsTheTests = noClasses()
            .that()
            .resideOutsideOfPackage("io.bucketwright.testing..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.bucketwright.testing..");

    @ArchTest
    static final ArchRule onlyTheCommandKnowsTheCommandLine = noClasses()
            .that()
            .resideOutsideOfPackage("io.bucketwright.app..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("picocli..", "io.bucketwright.app..");

    @ArchTest
    static final ArchRule onlyTheCommandChoosesTheLogger = noClasses()
            .that()
            .resideOutsideOfPackage("io.bucketwright.app.logging..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("ch.qos.logback..");

    @ArchTest
    static final ArchRule namesSayWhatAThingIs = noClasses()
            .should()
            .haveSimpleNameEndingWith("Utils")
            .orShould()
            .haveSimpleNameEndingWith("Util")
            .orShould()
            .haveSimpleNameEndingWith("Manager")
            .orShould()
            .haveSimpleNameEndingWith("Impl")
            .orShould()
            .haveSimpleNameEndingWith("Helper");

    @ArchTest
    static final ArchRule packagesOfAModuleDoNotKnowEachOtherInCircles =
            slices().matching("io.bucketwright.(*)..").should().beFreeOfCycles();

    private static ArchRule onlyKnows(String module, String... packages) {
        String[] allowed = Stream.concat(Arrays.stream(packages), Stream.of("java..", "javax..", "org.jspecify.."))
                .toArray(String[]::new);
        return classes()
                .that()
                .resideInAPackage("io.bucketwright." + module + "..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(allowed);
    }
}
