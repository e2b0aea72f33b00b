package io.bucketwright.volumes.directories;

import io.bucketwright.volumes.directories.files.DirectoryTree;
import io.bucketwright.volumes.directories.files.PosixRootDirectory;
import io.bucketwright.volumes.directories.files.RootDirectory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;

/** A root directory whose calls pass an interceptor. */
public final class InterceptedRootDirectory {

    /** The intercepted call. */
    public interface Call {
        Object proceed() throws Throwable;
    }

    /** Decides what happens to a call. */
    public interface Interceptor {
        Object intercept(String method, Call call) throws Throwable;
    }

    private InterceptedRootDirectory() {}

    public static RootDirectory of(Path path, Interceptor interceptor) {
        return proxy(
                RootDirectory.class,
                new PosixRootDirectory(path),
                (method, call) -> method.equals("tree")
                        ? proxy(DirectoryTree.class, (DirectoryTree) call.proceed(), interceptor)
                        : interceptor.intercept(method, call));
    }

    private static <T> T proxy(Class<T> type, T target, Interceptor interceptor) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (_, method, arguments) -> interceptor.intercept(method.getName(), () -> {
                    try {
                        return method.invoke(target, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                })));
    }
}
