package io.bucketwright.devtools;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.function.Predicate.not;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaParameterizedType;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.bucketwright.runtime.controller.InFlightState;
import io.bucketwright.runtime.controller.LoopReconciler;
import io.bucketwright.runtime.engine.ControllerContext;
import io.bucketwright.runtime.engine.ControllerProcessBuilder;
import io.bucketwright.store.BucketStore;
import io.bucketwright.store.StoreCall;
import io.bucketwright.store.observation.StoreOperation;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** The module table of docs/contributing/architecture.md and the rules of CONTRIBUTING.md about dependencies. */
@AnalyzeClasses(
        packages = "io.bucketwright",
        importOptions = {ImportOption.DoNotIncludeTests.class, ArchitectureTest.NoJarOfTests.class})
class ArchitectureTest {

    /** The tests of module app, which are a dependency here. */
    static final class NoJarOfTests implements ImportOption {

        @Override
        public boolean includes(Location location) {
            return !location.contains("-tests.jar");
        }
    }

    private static final String ROOT = "io.bucketwright.";

    /**
     * A row of the module table.
     *
     * @param name its package below io.bucketwright
     * @param modules the modules that it may depend on
     * @param libraries packages of the libraries that it may depend on, beside the JDK and annotations
     */
    private record Module(String name, Set<String> modules, Set<String> libraries) {

        boolean contains(JavaClass type) {
            return name.equals("cosi-2020")
                    ? COSI_2020.contains(type.getPackageName())
                    : (type.getPackageName() + ".").startsWith(ROOT + name + ".");
        }

        boolean mayUse(JavaClass type) {
            Optional<Module> other = moduleOf(type);
            return other.isPresent()
                    ? other.get().equals(this) || modules.contains(other.get().name())
                    : Stream.concat(libraries.stream(), ANYWHERE.stream())
                            .anyMatch((type.getPackageName() + ".")::startsWith);
        }
    }

    private static final Set<String> ANYWHERE =
            Set.of("java.", "javax.", "com.sun.net.httpserver.", "org.jspecify.", "org.apiguardian.");

    private static final Set<String> KUBERNETES = Set.of("io.fabric8.", "com.fasterxml.jackson.");
    private static final Set<String> CONTROLLER =
            Set.of("io.fabric8.", "com.fasterxml.jackson.", "io.micrometer.", "org.slf4j.", "org.snakeyaml.");

    /** The packages of module cosi-2020, which are between those of module cosi. */
    private static final Set<String> COSI_2020 = Stream.of("adapter", "controller", "migration", "sidecar", "transfer")
            .map(name -> ROOT + "cosi." + name)
            .collect(toSet());

    private static final Set<String> COSI =
            Set.of("io.fabric8.", "com.fasterxml.jackson.", "io.micrometer.", "org.slf4j.", "io.grpc.", "com.google.");

    private static final List<Module> MODULES = List.of(
            new Module("store", Set.of(), Set.of("com.fasterxml.jackson.")),
            new Module("store.contract", Set.of("store"), Set.of("org.junit.", "org.opentest4j.", "org.assertj.")),
            new Module("store.s3", Set.of("store"), Set.of("com.fasterxml.jackson.", "software.amazon.awssdk.")),
            new Module("store.azure", Set.of("store"), Set.of()),
            new Module("store.gcs", Set.of("store"), Set.of("com.fasterxml.jackson.")),
            new Module("api", Set.of(), KUBERNETES),
            new Module("runtime", Set.of(), CONTROLLER),
            new Module("runtime.testing", Set.of("runtime"), CONTROLLER),
            new Module("buckets", Set.of("store", "api", "runtime"), CONTROLLER),
            new Module("cosi.proto", Set.of(), Set.of("io.grpc.", "com.google.")),
            new Module("cosi", Set.of("store", "api", "runtime", "cosi.proto"), COSI),
            new Module("cosi-2020", Set.of("store", "api", "runtime", "cosi.proto", "cosi"), COSI),
            new Module("volumes", Set.of("runtime"), CONTROLLER),
            new Module("local", Set.of(), Set.of("com.fasterxml.jackson.", "org.bouncycastle.")),
            new Module(
                    "testing",
                    Set.of("local"),
                    Set.of(
                            "io.fabric8.",
                            "com.fasterxml.jackson.",
                            "org.junit.",
                            "org.awaitility.",
                            "org.slf4j.",
                            "ch.qos.logback.")),
            new Module(
                    "app",
                    Set.of(
                            "store",
                            "store.s3",
                            "api",
                            "runtime",
                            "buckets",
                            "cosi.proto",
                            "cosi",
                            "cosi-2020",
                            "volumes"),
                    Set.of("io.fabric8.", "com.fasterxml.jackson.", "org.slf4j.", "picocli.", "ch.qos.logback.")),
            new Module(
                    "bench",
                    Set.of("app", "api", "local"),
                    Set.of("io.fabric8.", "com.fasterxml.jackson.", "picocli.")),
            new Module(
                    "devtools",
                    Set.of("app", "api", "local"),
                    Set.of("io.fabric8.", "com.fasterxml.jackson.", "picocli.", "software.amazon.awssdk.")),
            new Module("example", Set.of("store", "buckets", "runtime"), Set.of()));

    private static Optional<Module> moduleOf(JavaClass type) {
        return MODULES.stream()
                .filter(module -> module.contains(type))
                .max(Comparator.comparingInt(module -> module.name().length()));
    }

    /** Dependencies of all modules, without arrays of primitives. */
    private static Stream<Dependency> dependencies(JavaClasses classes) {
        return classes.stream()
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .filter(dependency ->
                        !dependency.getTargetClass().getBaseComponentType().isPrimitive());
    }

    @ArchTest
    static void modulesDependOnlyOnWhatTheirRowAllows(JavaClasses classes) {
        assertThat(classes).allSatisfy(type -> assertThat(moduleOf(type)).isPresent());
        assertThat(classes.stream()
                        .map(type -> moduleOf(type).orElseThrow().name())
                        .distinct())
                .as("modules on the class path of this test")
                .containsExactlyInAnyOrderElementsOf(
                        MODULES.stream().map(Module::name).toList());
        assertThat(dependencies(classes)
                        .filter(dependency -> !moduleOf(dependency.getOriginClass())
                                .orElseThrow()
                                .mayUse(dependency.getTargetClass().getBaseComponentType()))
                        .map(Dependency::getDescription))
                .isEmpty();
    }

    @ArchTest
    static void internalPackagesAreUsedOnlyInTheirModule(JavaClasses classes) {
        assertThat(dependencies(classes)
                        .filter(dependency ->
                                isInternal(dependency.getTargetClass().getBaseComponentType()))
                        .filter(dependency -> !moduleOf(dependency.getOriginClass())
                                .equals(moduleOf(dependency.getTargetClass().getBaseComponentType())))
                        .map(Dependency::getDescription))
                .isEmpty();
    }

    private static boolean isInternal(JavaClass type) {
        return type.getPackageName().startsWith(ROOT)
                && Stream.of(
                                type.tryGetAnnotationOfType(API.class),
                                type.getPackage().tryGetAnnotationOfType(API.class))
                        .flatMap(Optional::stream)
                        .anyMatch(api -> api.status() == API.Status.INTERNAL);
    }

    /** A module for tests may run controllers step by step. */
    @ArchTest
    static void internalMethodsAreCalledOnlyInTheirModule(JavaClasses classes) {
        assertThat(classes.stream()
                        .filter(type -> !type.getPackageName().startsWith(ROOT + "runtime.testing"))
                        .flatMap(type -> type.getAccessesFromSelf().stream())
                        .filter(access -> access.getTarget()
                                .resolveMember()
                                .filter(ArchitectureTest::isInternal)
                                .filter(member ->
                                        !moduleOf(member.getOwner()).equals(moduleOf(access.getOriginOwner())))
                                .isPresent())
                        .map(JavaAccess::getDescription))
                .isEmpty();
    }

    private static boolean isInternal(JavaMember member) {
        return member.tryGetAnnotationOfType(API.class)
                .filter(api -> api.status() == API.Status.INTERNAL)
                .isPresent();
    }

    /** Each call of a store is measured, and as the operation that it is: whoever calls a method names its operation. */
    @ArchTest
    static void callsOfStoresAreMeasured(JavaClasses classes) {
        List<JavaCodeUnit> callers = classes.stream()
                .filter(type -> !type.getPackageName().startsWith(ROOT + "store."))
                .filter(type -> !type.isAssignableTo(BucketStore.class))
                .flatMap(type -> type.getCodeUnits().stream())
                .toList();
        assertThat(callers.stream().flatMap(ArchitectureTest::calledOperations))
                .contains("PROVISION", "GRANT", "REVOKE", "DELETE", "LIST_BUCKETS");
        assertThat(callers)
                .allSatisfy(caller -> assertThat(calledOperations(caller))
                        .containsExactlyInAnyOrderElementsOf(caller.getFieldAccesses().stream()
                                .map(access -> access.getTarget())
                                .filter(target -> target.getOwner().isEquivalentTo(StoreOperation.class))
                                .map(HasName::getName)
                                .toList()));
    }

    private static Stream<String> calledOperations(JavaCodeUnit caller) {
        return Stream.concat(caller.getMethodCallsFromSelf().stream(), caller.getMethodReferencesFromSelf().stream())
                .map(JavaAccess::getTarget)
                .filter(target -> target.getOwner().isAssignableTo(BucketStore.class)
                        && target.getRawParameterTypes().stream()
                                .anyMatch(type -> type.isEquivalentTo(StoreCall.class)))
                .map(target -> target.getName().replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT));
    }

    /** Programs that use a builder do not depend on the client behind it. */
    @ArchTest
    static void buildersHaveNoTypesOfTheKubernetesClient(JavaClasses classes) {
        assertThat(classes.stream()
                        .filter(type -> type.isAssignableTo(ControllerProcessBuilder.class))
                        .flatMap(type -> type.getMethods().stream())
                        .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
                        .filter(method -> method.getParameterTypes().stream()
                                .flatMap(type -> type.getAllInvolvedRawTypes().stream())
                                .anyMatch(type -> type.getPackageName().startsWith("io.fabric8.")))
                        .map(JavaMethod::getFullName))
                .isEmpty();
    }

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().assignedFrom(new PackageAssignment()).should().beFreeOfCycles();

    private static final class PackageAssignment implements SliceAssignment {

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return SliceIdentifier.of(type.getPackageName());
        }

        @Override
        public String getDescription() {
            return "packages";
        }
    }

    /** An Optional is a result. A record component is the result of its accessor; private methods are free. */
    @ArchTest
    static void optionalIsNotAParameter(JavaClasses classes) {
        assertThat(classes.stream()
                        .flatMap(type -> type.getCodeUnits().stream())
                        .filter(unit -> unit.getRawParameterTypes().stream()
                                .anyMatch(type -> type.isEquivalentTo(Optional.class)))
                        .filter(not(ArchitectureTest::isRecordConstructor))
                        .filter(unit -> !unit.getModifiers().contains(JavaModifier.PRIVATE))
                        .map(JavaCodeUnit::getFullName))
                .isEmpty();
    }

    private static boolean isRecordConstructor(JavaCodeUnit unit) {
        return unit instanceof JavaConstructor && unit.getOwner().isRecord();
    }

    @ArchTest
    static final ArchRule vendorSdksAreUsedOnlyByTheirStoreAndTheDemo = noClasses()
            .that()
            .resideInAnyPackage("io.bucketwright.app..", "io.bucketwright.bench..", "io.bucketwright.devtools..")
            .and()
            .resideOutsideOfPackage("io.bucketwright.devtools.demo..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("software.amazon.awssdk..");

    @ArchTest
    static final ArchRule cosiDriverAndSanityDoNotDependOnKubernetes = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.bucketwright.cosi.wire..", "io.bucketwright.cosi.driver..", "io.bucketwright.cosi.sanity..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.fabric8..", "io.bucketwright.api..", "io.bucketwright.runtime..");

    /** Tests read what was logged, so their module may. */
    @ArchTest
    static final ArchRule onlyTheLogSetupDependsOnLogback = noClasses()
            .that()
            .resideOutsideOfPackages("io.bucketwright.app.logging..", "io.bucketwright.testing..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("ch.qos.logback..");

    /** An edit requires the version that it read: it fails if a controller changes the object at the same time. */
    @ArchTest
    static final ArchRule onlyTestsEditObjects = noClasses()
            .that()
            .resideOutsideOfPackage("io.bucketwright.testing..")
            .should()
            .callMethodWhere(target(nameMatching("edit(Status)?"))
                    .and(target(owner(resideInAPackage("io.fabric8.kubernetes.client.dsl..")))));

    @ArchTest
    static final ArchRule namesSayWhatAClassIs = noClasses()
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

    /** Whoever knows one controller finds their way in the next one: its words are the same. */
    @ArchTest
    static void controllersHaveObservationsDecisionsAndStates(JavaClasses classes) {
        List<JavaClass> controllers = classes.stream()
                .filter(type -> !type.getPackageName().startsWith(ROOT + "runtime"))
                .filter(type -> type.getCodeUnitAccessesFromSelf().stream().anyMatch(ArchitectureTest::registersALoop))
                .toList();
        assertThat(controllers).hasSizeGreaterThan(8).allSatisfy(controller -> {
            assertThat(controller.getSimpleName()).matches("\\w+Controllers?");
            Set<String> decisions = prefixes(controller, "decide", "Decision", JavaCodeUnitAccess::getTargetOwner);
            assertThat(decisions).isNotEmpty();
            assertThat(prefixes(controller, "observe", "Observation", ArchitectureTest::observed))
                    .as("what %s observes, and what it decides about", controller.getName())
                    .isEqualTo(decisions);
            assertThat(states(controller))
                    .as("states of %s", controller.getName())
                    .allSatisfy(state -> assertThat(decisions).contains(withoutSuffix(state, "State")));
        });
    }

    private static boolean registersALoop(JavaCodeUnitAccess<?> call) {
        boolean loop = call.getTargetOwner().isEquivalentTo(LoopReconciler.class);
        boolean registered = call.getTargetOwner().isEquivalentTo(ControllerContext.class)
                && call.getName().equals("controller");
        // With two arguments it has a reconciler of its own.
        return loop || (registered && call.getTarget().getRawParameterTypes().size() > 2);
    }

    private static Set<String> prefixes(
            JavaClass controller, String method, String suffix, Function<JavaCodeUnitAccess<?>, JavaClass> type) {
        return controller.getCodeUnitAccessesFromSelf().stream()
                .filter(call -> call.getName().startsWith(method))
                .map(type)
                .filter(found -> found.getPackageName().startsWith(ROOT) && !found.equals(controller))
                .map(found -> withoutSuffix(found, suffix))
                .collect(toSet());
    }

    /** What the method returns, also if that can be absent. */
    private static JavaClass observed(JavaCodeUnitAccess<?> call) {
        JavaType type = call.getTarget().resolveMember().orElseThrow().getReturnType();
        return type instanceof JavaParameterizedType optional
                ? optional.getActualTypeArguments().getFirst().toErasure()
                : type.toErasure();
    }

    /** But those of the JDK, such as a text. */
    private static Stream<JavaClass> states(JavaClass controller) {
        return controller.getFields().stream()
                .filter(field -> field.getRawType().isEquivalentTo(InFlightState.class))
                .map(field -> ((JavaParameterizedType) field.getType())
                        .getActualTypeArguments()
                        .getLast()
                        .toErasure())
                .filter(state -> state.getPackageName().startsWith(ROOT));
    }

    private static String withoutSuffix(JavaClass type, String suffix) {
        String name = type.getSimpleName();
        return name.endsWith(suffix) ? name.substring(0, name.length() - suffix.length()) : name + " without " + suffix;
    }
}
