package io.bucketwright.volumes.directories.files;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The system calls that work relative to an open directory, on 64-bit Linux. The JDK's SecureDirectoryStream can neither
 * create a directory nor set the setgid bit.
 */
@SuppressWarnings("restricted") // native access is the purpose of this class
final class Libc {

    static final int CURRENT_DIRECTORY = -100;
    static final int READ_ONLY = 0;
    static final int CREATE_NEW = 01 | 0100 | 0200;
    private static final int CLOSE_ON_EXEC = 02000000;
    static final int REMOVE_DIRECTORY = 0x200;
    private static final int NO_FOLLOW_STATUS = 0x100;
    static final int NO_REPLACE = 1;
    private static final int BASIC_STATUS_AND_MOUNT = 0x17ff;
    private static final int STATX_SIZE = 256;
    private static final int MOUNT_ROOT = 0x2000;

    private static final long QUOTACTL_FD = 443;
    private static final int QUOTA_STATUS = 0x5808;
    private static final int QUOTA_STATUS_SIZE = 256;
    private static final int PROJECT_ENFORCED = 1 << 5;
    private static final int QUOTA_SET = 0x800008;
    private static final int PROJECT = 2;
    private static final int BLOCK_LIMITS = 1;
    private static final int QUOTA_SIZE = 72;
    private static final long READ_ATTRIBUTES = 0x801c581fL;
    private static final long WRITE_ATTRIBUTES = 0x401c5820L;
    private static final int INHERIT_PROJECT = 0x200;
    private static final int ATTRIBUTES_SIZE = 28;

    /** What differs between architectures. A wrong O_NOFOLLOW would follow links, so an unknown one is rejected. */
    private enum Architecture {
        X86_64(0400000, 0200000, 217),
        AARCH64(0100000, 040000, 61);

        private final int noFollow;
        private final int directory;
        private final long getdents;

        Architecture(int noFollow, int directory, long getdents) {
            this.noFollow = noFollow;
            this.directory = directory;
            this.getdents = getdents;
        }

        static Architecture of(String name) {
            return switch (name) {
                case "amd64", "x86_64" -> X86_64;
                case "aarch64", "arm64" -> AARCH64;
                default ->
                    throw new IllegalArgumentException("Directories can be provisioned on the architectures x86_64 and"
                            + " aarch64 of Linux, not on " + name);
            };
        }
    }

    private interface Call {
        int on(Arena arena, MemorySegment state) throws Throwable;
    }

    private final Linker linker = Linker.nativeLinker();
    private final StructLayout captured = Linker.Option.captureStateLayout();
    private final VarHandle errno = captured.varHandle(PathElement.groupElement("errno"));
    private final Architecture architecture;

    private final MethodHandle openat = handle(JAVA_INT, "openat", 3, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
    private final MethodHandle close = handle(JAVA_INT, "close", -1, JAVA_INT);
    final MethodHandle mkdirat = handle(JAVA_INT, "mkdirat", -1, JAVA_INT, ADDRESS, JAVA_INT);
    final MethodHandle unlinkat = handle(JAVA_INT, "unlinkat", -1, JAVA_INT, ADDRESS, JAVA_INT);
    final MethodHandle renameat = handle(JAVA_INT, "renameat", -1, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS);
    final MethodHandle renameat2 = handle(JAVA_INT, "renameat2", -1, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT);
    final MethodHandle linkat = handle(JAVA_INT, "linkat", -1, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT);
    final MethodHandle fchown = handle(JAVA_INT, "fchown", -1, JAVA_INT, JAVA_INT, JAVA_INT);
    final MethodHandle fchmod = handle(JAVA_INT, "fchmod", -1, JAVA_INT, JAVA_INT);
    final MethodHandle fsync = handle(JAVA_INT, "fsync", -1, JAVA_INT);
    private final MethodHandle statx = handle(JAVA_INT, "statx", -1, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS);
    private final MethodHandle read = handle(JAVA_LONG, "read", -1, JAVA_INT, ADDRESS, JAVA_LONG);
    private final MethodHandle write = handle(JAVA_LONG, "write", -1, JAVA_INT, ADDRESS, JAVA_LONG);
    private final MethodHandle lseek = handle(JAVA_LONG, "lseek", -1, JAVA_INT, JAVA_LONG, JAVA_INT);
    private final MethodHandle geteuid = handle(JAVA_INT, "geteuid", -1);
    private final MethodHandle getdents = handle(JAVA_LONG, "syscall", 1, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);

    private final MethodHandle ioctl = handle(JAVA_INT, "ioctl", 2, JAVA_INT, JAVA_LONG, ADDRESS);
    private final MethodHandle syscall =
            handle(JAVA_LONG, "syscall", 1, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS);

    Libc() {
        this(System.getProperty("os.arch"));
    }

    Libc(String architecture) {
        this.architecture = Architecture.of(architecture);
    }

    /** Opens a directory; fails for a symbolic link. */
    int openDirectory(int at, byte[] name) throws SystemCallException {
        return open(at, name, READ_ONLY | architecture.directory, 0);
    }

    int open(int at, byte[] name, int flags, int mode) throws SystemCallException {
        int all = flags | architecture.noFollow | CLOSE_ON_EXEC;
        return call("Opening", name, openat, at, name, all, mode);
    }

    /** The user that this process acts as. */
    int ownUid() throws SystemCallException {
        return call("Reading the own user id", new byte[0], (_, state) -> (int) geteuid.invokeExact(state));
    }

    void close(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            // A failed close cannot be handled, and all writes were synced before.
            int _ = (int) close.invokeExact(arena.allocate(captured), fd);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    FileStatus status(int at, byte[] name) throws SystemCallException {
        FileStatus[] found = new FileStatus[1];
        int flags = NO_FOLLOW_STATUS | (name.length == 0 ? 0x1000 : 0);
        call("Reading the status of", name, (arena, state) -> {
            MemorySegment to = arena.allocate(STATX_SIZE, 8);
            int code = (int) statx.invokeExact(state, at, text(arena, name), flags, BASIC_STATUS_AND_MOUNT, to);
            found[0] = new FileStatus(
                    Short.toUnsignedInt(to.get(JAVA_SHORT, 28)),
                    to.get(JAVA_INT, 20),
                    to.get(JAVA_INT, 24),
                    to.get(JAVA_LONG, 48) * 512,
                    to.get(JAVA_LONG, 32),
                    to.get(JAVA_LONG, 96) * 1_000_000_000 + to.get(JAVA_INT, 104),
                    (to.get(JAVA_LONG, 8) & MOUNT_ROOT) != 0,
                    to.get(JAVA_INT, 136) + ":" + to.get(JAVA_INT, 140) + ":" + to.get(JAVA_LONG, 144));
            return code;
        });
        return found[0];
    }

    byte[] read(int fd, byte[] name, int most) throws SystemCallException {
        byte[][] found = new byte[1][];
        call("Reading", name, (arena, state) -> {
            MemorySegment to = arena.allocate(most);
            long length = (long) read.invokeExact(state, fd, to, (long) most);
            found[0] = length < 0 ? new byte[0] : to.asSlice(0, length).toArray(JAVA_BYTE);
            return length < 0 ? -1 : 0;
        });
        return found[0];
    }

    void write(int fd, byte[] name, byte[] content) throws SystemCallException {
        int[] done = new int[1];
        while (done[0] < content.length) {
            call("Writing", name, (arena, state) -> {
                MemorySegment from =
                        arena.allocateFrom(JAVA_BYTE, Arrays.copyOfRange(content, done[0], content.length));
                long length = (long) write.invokeExact(state, fd, from, from.byteSize());
                done[0] += (int) Math.max(0, length);
                return length < 0 ? -1 : 0;
            });
        }
    }

    /** Whether the file system enforces project quotas; it may also only count. */
    boolean enforcesProjectQuota(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment status = arena.allocate(QUOTA_STATUS_SIZE, 8);
            status.set(JAVA_BYTE, 0, (byte) 1);
            int command = QUOTA_STATUS << 8 | PROJECT;
            return (long) syscall.invokeExact(arena.allocate(captured), QUOTACTL_FD, fd, command, 0, status) == 0
                    && (status.get(JAVA_SHORT, 2) & PROJECT_ENFORCED) != 0;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** The quota project of a directory; 0 if it has none, or the file system has no projects. */
    int project(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(ATTRIBUTES_SIZE, 8);
            int result = (int) ioctl.invokeExact(arena.allocate(captured), fd, READ_ATTRIBUTES, attributes);
            return result < 0 ? 0 : attributes.get(JAVA_INT, 12);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Assigns a directory, and all future content, to a quota project with that limit. */
    void limitProject(int fd, byte[] name, int project, long bytes) throws SystemCallException {
        call("Setting the project quota of", name, (arena, state) -> {
            MemorySegment attributes = arena.allocate(ATTRIBUTES_SIZE, 8);
            int read = (int) ioctl.invokeExact(state, fd, READ_ATTRIBUTES, attributes);
            if (read < 0) {
                return read;
            }
            attributes.set(JAVA_INT, 0, attributes.get(JAVA_INT, 0) | INHERIT_PROJECT);
            attributes.set(JAVA_INT, 12, project);
            return (int) ioctl.invokeExact(state, fd, WRITE_ATTRIBUTES, attributes);
        });
        call("Setting the project quota of", name, (arena, state) -> {
            MemorySegment limits = arena.allocate(QUOTA_SIZE, 8);
            limits.set(JAVA_LONG, 0, (bytes + 1023) / 1024);
            limits.set(JAVA_LONG, 8, (bytes + 1023) / 1024);
            limits.set(JAVA_INT, 64, BLOCK_LIMITS);
            return (int) (long) syscall.invokeExact(state, QUOTACTL_FD, fd, QUOTA_SET << 8 | PROJECT, project, limits);
        });
    }

    /** Opens a directory for a listing of its own. */
    int openListing(int at) throws SystemCallException {
        return open(at, new byte[] {'.'}, READ_ONLY | architecture.directory, 0);
    }

    /** Reads the next entries, as the kernel writes them; returns how many bytes, 0 at the end. */
    int readEntries(int fd, byte[] name, MemorySegment to) throws SystemCallException {
        try {
            return call("Listing", name, (_, state) ->
                    (int) (long) getdents.invokeExact(state, architecture.getdents, fd, to, to.byteSize()));
        } catch (SystemCallException e) {
            // The directory was removed while it was read.
            if (e.is(SystemCallException.ENOENT)) {
                return 0;
            }
            throw e;
        }
    }

    void seek(int fd, byte[] name, long offset) throws SystemCallException {
        // Offsets of some file systems are negative numbers, so the result does not show an error.
        call("Listing", name, (_, state) -> (long) lseek.invokeExact(state, fd, offset, 0) == -1 ? -1 : 0);
    }

    /** Calls a function with these arguments; file names are arrays of bytes. */
    int call(String what, byte[] name, MethodHandle function, Object... arguments) throws SystemCallException {
        return call(what, name, (arena, state) -> {
            List<Object> all = new ArrayList<>(List.of(state));
            for (Object argument : arguments) {
                all.add(argument instanceof byte[] text ? text(arena, text) : argument);
            }
            return (int) function.invokeWithArguments(all);
        });
    }

    private int call(String what, byte[] name, Call call) throws SystemCallException {
        while (true) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment state = arena.allocate(captured);
                int result = call.on(arena, state);
                if (result >= 0) {
                    return result;
                }
                int number = (int) errno.get(state, 0L);
                if (number != SystemCallException.EINTR) {
                    throw new SystemCallException(what + " " + printable(name), number);
                }
            } catch (SystemCallException e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** A file name made safe for messages: tenants choose the names of files in volumes. */
    static String printable(byte[] name) {
        String text = new String(name, StandardCharsets.US_ASCII).replaceAll("[^\\x20-\\x7e]", "?");
        return text.length() > 80 ? text.substring(0, 80) + "…" : text;
    }

    private static MemorySegment text(Arena arena, byte[] name) {
        MemorySegment text = arena.allocate(name.length + 1L);
        MemorySegment.copy(name, 0, text, JAVA_BYTE, 0, name.length);
        return text;
    }

    private MethodHandle handle(ValueLayout result, String function, int variadic, ValueLayout... arguments) {
        Linker.Option captureErrno = Linker.Option.captureCallState("errno");
        Linker.Option[] options = variadic < 0
                ? new Linker.Option[] {captureErrno}
                : new Linker.Option[] {captureErrno, Linker.Option.firstVariadicArg(variadic)};
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(function), FunctionDescriptor.of(result, arguments), options);
    }
}
