package io.bucketwright.volumes.directories;

import io.bucketwright.volumes.directories.files.RootDirectory;
import java.io.IOException;
import java.nio.file.Path;

/** A root directory whose operations pass an interceptor. */
final class InterceptedRootDirectory extends RootDirectory {

    private final Interceptor interceptor;

    /** Decides what happens to an operation. */
    interface Interceptor {
        Object intercept(String operation, Access<?> call) throws Exception;
    }

    InterceptedRootDirectory(Path path, Interceptor interceptor) {
        super(path);
        this.interceptor = interceptor;
    }

    @Override
    @SuppressWarnings("unchecked") // an interceptor returns what the operation returns
    protected <R> R access(String operation, Access<R> access) throws IOException {
        try {
            return (R) interceptor.intercept(operation, access);
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
