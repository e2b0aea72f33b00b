package io.bucketwright.cosi.adapter;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;

/** The system calls mount(2) and umount2(2). By the programs of that name, an image would need them and their libraries. */
@SuppressWarnings("restricted") // the launcher enables native access
final class MountCalls {

    static final long READ_ONLY = 1;
    static final long NO_SUID = 2;
    static final long NO_DEVICES = 4;
    static final long NO_EXEC = 8;
    static final long REMOUNT = 32;
    static final long BIND = 4096;

    /** A symbolic link is not followed. */
    private static final int UMOUNT_NOFOLLOW = 8;

    /** The longest message of the C library. */
    private static final int LONGEST_MESSAGE = 1024;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout CAPTURED = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = CAPTURED.varHandle(PathElement.groupElement("errno"));

    private final MethodHandle mount = handle(
            "mount",
            FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS),
            Linker.Option.captureCallState("errno"));
    private final MethodHandle umount = handle(
            "umount2", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT), Linker.Option.captureCallState("errno"));
    private final MethodHandle message = handle("strerror", FunctionDescriptor.of(ADDRESS, JAVA_INT));

    /** Mounts a new file system in memory. */
    void mountTmpfs(String source, Path target, long flags, String options) throws IOException {
        mount(source, target, "tmpfs", flags, options);
    }

    /** Mounts a directory at another place too. */
    void bind(Path source, Path target) throws IOException {
        mount(source.toString(), target, "", BIND, "");
    }

    /** Changes the flags of a mount that {@link #bind} made. */
    void remountBound(Path target, long flags) throws IOException {
        mount("", target, "", REMOUNT | BIND | flags, "");
    }

    void unmount(Path target) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CAPTURED);
            check("unmount", target, state, (int)
                    umount.invokeExact(state, text(arena, target.toString()), UMOUNT_NOFOLLOW));
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private void mount(String source, Path target, String type, long flags, String options) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CAPTURED);
            int code = (int) mount.invokeExact(
                    state,
                    text(arena, source),
                    text(arena, target.toString()),
                    text(arena, type),
                    flags,
                    text(arena, options));
            check("mount", target, state, code);
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private void check(String what, Path target, MemorySegment state, int code) throws Throwable {
        if (code != 0) {
            int errno = (int) ERRNO.get(state, 0L);
            MemorySegment text = (MemorySegment) message.invokeExact(errno);
            throw new IOException("Could not " + what + " " + target + ": "
                    + text.reinterpret(LONGEST_MESSAGE).getString(0)
                    + ". The adapter needs root and a mount namespace that kubelet shares.");
        }
    }

    private static MemorySegment text(Arena arena, String value) {
        return value.isEmpty() ? MemorySegment.NULL : arena.allocateFrom(value);
    }

    private static MethodHandle handle(String name, FunctionDescriptor descriptor, Linker.Option... options) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor, options);
    }
}
