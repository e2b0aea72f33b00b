package io.bucketwright.volumes.directories.files;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Reads the entries of a directory one after the other. A directory of any size needs one buffer, and an error is an error
 * and not the end of the directory.
 */
final class DirectoryListing implements AutoCloseable {

    private static final int BUFFER_SIZE = 32 * 1024;
    private static final int OFFSET = 8;
    private static final int LENGTH = 16;
    private static final int TYPE = 18;
    private static final int NAME = 19;

    private static final byte DIRECTORY = 4;

    /**
     * One entry of a directory listing.
     *
     * @param name bytes, because Linux file names have no encoding
     * @param directory whether the listing reported a directory. Some file systems do not report types, so false proves nothing
     */
    @SuppressWarnings("ArrayRecordComponent") // entries are not compared
    record Entry(byte[] name, boolean directory) {

        boolean isSelfOrParent() {
            return name.length <= 2 && name[0] == '.' && (name.length == 1 || name[1] == '.');
        }
    }

    private final Libc libc;
    private final int fd;
    private final byte[] directory;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment buffer = arena.allocate(BUFFER_SIZE, 8);
    private int position;
    private int end;
    private long offset;

    /** Takes over the file descriptor, which nobody else reads from. */
    DirectoryListing(Libc libc, int fd, byte[] directory) {
        this.libc = libc;
        this.fd = fd;
        this.directory = directory;
    }

    /** The next entry, without {@code .} and {@code ..}; empty at the end. */
    Optional<Entry> next() throws SystemCallException {
        while (true) {
            if (position == end) {
                end = libc.readEntries(fd, directory, buffer);
                position = 0;
                if (end == 0) {
                    return Optional.empty();
                }
            }
            Entry entry = entry(buffer.asSlice(position));
            offset = buffer.get(JAVA_LONG_UNALIGNED, position + OFFSET);
            position += Short.toUnsignedInt(buffer.get(JAVA_SHORT_UNALIGNED, position + LENGTH));
            if (!entry.isSelfOrParent()) {
                return Optional.of(entry);
            }
        }
    }

    /** Continues after the entry with this offset, which an earlier listing of the directory returned. */
    void seek(long after) throws SystemCallException {
        libc.seek(fd, directory, after);
        position = 0;
        end = 0;
        offset = after;
    }

    /** Where the listing continues after the last entry. */
    long offset() {
        return offset;
    }

    @Override
    public void close() {
        arena.close();
        libc.close(fd);
    }

    private static Entry entry(MemorySegment entry) {
        int end = NAME;
        while (entry.get(JAVA_BYTE, end) != 0) {
            end++;
        }
        byte[] name = entry.asSlice(NAME, end - NAME).toArray(JAVA_BYTE);
        return new Entry(name, entry.get(JAVA_BYTE, TYPE) == DIRECTORY);
    }
}
