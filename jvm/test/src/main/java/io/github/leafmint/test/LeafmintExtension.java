package io.github.leafmint.test;

import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.Tag;
import io.github.leafmint.VirtualClock;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;

/** The extension behind {@link LeafmintTest}: {@code @ExtendWith(LeafmintExtension.class)} is the same. */
public final class LeafmintExtension implements ParameterResolver, BeforeEachCallback, AfterEachCallback {
    private static final Namespace NAMESPACE = Namespace.create(LeafmintExtension.class);
    private static final String PARALLEL = "junit.jupiter.execution.parallel.enabled";
    private static final String LIFECYCLE = "junit.jupiter.testinstance.lifecycle.default";
    private static final Set<Class<?>> TYPES =
            Set.of(SegmentGenerator.class, Tag.class, SnowflakeGenerator.class, VirtualClock.class);

    /** Creates the extension. */
    public LeafmintExtension() {}

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        // A parameter with another annotation belongs to another extension, as one annotated @Autowired does.
        boolean ours =
                parameter.isAnnotated(TestIds.class) || parameter.getParameter().getAnnotations().length == 0;
        return ours && TYPES.contains(parameter.getParameter().getType());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        // Constructors and @BeforeAll methods belong to the class: what they get would be shared by its tests.
        if (context.getTestMethod().isEmpty()) {
            throw new ParameterResolutionException("leafmint opens generators for each test, and "
                    + parameter.getDeclaringExecutable() + " is not called for each test: use a field annotated"
                    + " @TestIds, or a parameter of the test method or of a method annotated @BeforeEach");
        }
        Class<?> type = parameter.getParameter().getType();
        return of(context).find(type, parameter.findAnnotation(TestIds.class).orElse(null), parameter.getParameter());
    }

    @Override
    public void beforeEach(ExtensionContext context) throws IllegalAccessException {
        for (Object instance : context.getRequiredTestInstances().getAllInstances()) {
            for (Field field : AnnotationSupport.findAnnotatedFields(
                    instance.getClass(), TestIds.class, any -> true, HierarchyTraversalMode.TOP_DOWN)) {
                refuseIfShared(field, instance, context);
                set(field, instance, context);
            }
        }
    }

    /** Refuses a field that each of several tests would set while the others run. */
    private static void refuseIfShared(Field field, Object instance, ExtensionContext context) {
        boolean parallel = context.getConfigurationParameter(PARALLEL)
                .map(Boolean::parseBoolean)
                .orElse(false);
        if (parallel && context.getExecutionMode() == ExecutionMode.CONCURRENT && isShared(instance, context)) {
            throw new ExtensionConfigurationException("concurrent tests share one instance of "
                    + instance.getClass().getName() + ", and so the field " + field.getName()
                    + ": take a parameter of the test method, or annotate the class"
                    + " @TestInstance(Lifecycle.PER_METHOD) or @Execution(ExecutionMode.SAME_THREAD)");
        }
    }

    private static boolean isShared(Object instance, ExtensionContext context) {
        return AnnotationSupport.findAnnotation(instance.getClass(), TestInstance.class)
                .map(declared -> declared.value() == Lifecycle.PER_CLASS)
                .orElseGet(() -> context.getConfigurationParameter(LIFECYCLE)
                        .map(Lifecycle.PER_CLASS.name()::equalsIgnoreCase)
                        .orElse(false));
    }

    private static void set(Field field, Object instance, ExtensionContext context) throws IllegalAccessException {
        int modifiers = field.getModifiers();
        if (!TYPES.contains(field.getType()) || Modifier.isStatic(modifiers) || Modifier.isFinal(modifiers)) {
            throw new ExtensionConfigurationException("@TestIds cannot set " + field
                    + ": it needs a field that is not static or final, of type SegmentGenerator, Tag,"
                    + " SnowflakeGenerator or VirtualClock");
        }
        field.setAccessible(true);
        field.set(instance, of(context).find(field.getType(), field.getAnnotation(TestIds.class), field));
    }

    @Override
    public void afterEach(ExtensionContext context) {
        // Explicitly, because the type that a store closes by itself differs between versions of JUnit.
        var ids = context.getStore(NAMESPACE).remove(IdsOfOneTest.class, IdsOfOneTest.class);
        if (ids != null) {
            ids.close();
        }
    }

    private static IdsOfOneTest of(ExtensionContext context) {
        Store store = context.getStore(NAMESPACE);
        var ids = store.get(IdsOfOneTest.class, IdsOfOneTest.class);
        if (ids == null) {
            ids = new IdsOfOneTest(startOf(context));
            store.put(IdsOfOneTest.class, ids);
        }
        return ids;
    }

    private static Instant startOf(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(context.getElement(), LeafmintTest.class)
                .or(() -> context.getRequiredTestInstances().getAllInstances().stream()
                        .flatMap(instance ->
                                AnnotationSupport.findAnnotation(instance.getClass(), LeafmintTest.class).stream())
                        .reduce((outer, inner) -> inner))
                .map(test -> Instant.parse(test.startsAt()))
                .orElse(TestGenerators.START);
    }
}
