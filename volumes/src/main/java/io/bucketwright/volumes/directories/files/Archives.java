package io.bucketwright.volumes.directories.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The archived directories of a root, for people. Safe beside a running provisioner: what is restored was nobody's. */
public final class Archives {

    private final PosixRoot place;
    private final MarkerFormat format = new MarkerFormat();

    public Archives(Path root) {
        this.place = new PosixRoot(root);
    }

    /** An archived directory and whose it was. */
    public record Archived(String name, Marker marker) {}

    /** All, in the order of their names. */
    public List<Archived> list() throws IOException {
        try (Dir root = place.open(identity());
                Dir ours = root.open(PosixRoot.OURS)) {
            List<Archived> all = new ArrayList<>();
            if (ours.status(PosixTree.ARCHIVE).isEmpty()) {
                return all;
            }
            try (Dir archive = ours.open(PosixTree.ARCHIVE)) {
                for (Entry entry : archive.entries(Integer.MAX_VALUE)) {
                    String file = new String(entry.name(), StandardCharsets.UTF_8);
                    if (file.endsWith(".json")) {
                        String name = file.substring(0, file.length() - ".json".length());
                        all.add(new Archived(name, record(archive, name)));
                    }
                }
            }
            all.sort(Comparator.comparing(Archived::name));
            return all;
        }
    }

    /** Whose it was; the claim to come may be another. */
    public Marker find(String name) throws IOException {
        return list().stream()
                .filter(archived -> archived.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IOException("There is no archive called " + Libc.printable(Dir.bytes(name))))
                .marker();
    }

    /**
     * Puts an archived directory back below its root, kept for the claim that the marker names. Can be repeated after a
     * crash; replaces nothing.
     */
    public void restore(String name, Marker retained) throws IOException {
        try (Dir root = place.open(identity());
                Dir ours = root.open(PosixRoot.OURS);
                Dir archive = ours.open(PosixTree.ARCHIVE)) {
            boolean begun = ours.read(retained.name().marker())
                    .filter(there -> new String(there, StandardCharsets.UTF_8)
                            .equals(new String(format.write(retained), StandardCharsets.UTF_8)))
                    .isPresent();
            if (!begun && root.status(retained.name().text()).isPresent()) {
                throw new IOException("There is a directory " + retained.name() + " already; nothing was changed");
            }
            if (!begun && !ours.create(retained.name().marker(), format.write(retained))) {
                throw new IOException("There is a marker of " + retained.name() + " already; nothing was changed");
            }
            if (archive.status(name).isPresent()) {
                archive.move(Dir.bytes(name), root, Dir.bytes(retained.name().text()));
            }
            root.sync();
            archive.unlink(Dir.bytes(name + ".json"));
            archive.sync();
        }
    }

    private RootIdentity identity() throws IOException {
        Optional<RootIdentity> identity = place.identity();
        return identity.orElseThrow(() -> new IOException(
                place.path() + " is no root of the directory provisioner: it has no " + PosixRoot.OURS));
    }

    private Marker record(Dir archive, String name) throws IOException {
        byte[] content = archive.read(name + ".json")
                .orElseThrow(
                        () -> new IOException("The record of archive " + Libc.printable(Dir.bytes(name)) + " is gone"));
        return format.marker("the record of archive " + Libc.printable(Dir.bytes(name)), content);
    }
}
