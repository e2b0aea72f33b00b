package io.bucketwright.store.contract;

import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Resolves a parameter of tests: a server that is started once for all tests of this JVM, and closed after the last one. */
public abstract class SharedServer<T extends AutoCloseable> implements ParameterResolver {

    private final Class<T> type;
    private final Supplier<T> start;

    protected SharedServer(Class<T> type, Supplier<T> start) {
        this.type = type;
        this.start = start;
    }

    @Override
    public final boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == type;
    }

    @Override
    public final Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(ExtensionContext.Namespace.create(type))
                .computeIfAbsent(type, _ -> start.get(), type);
    }
}
