package io.bucketwright.runtime.leader;

import io.bucketwright.runtime.objects.Metadata;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;

/**
 * The process that holds a lease, in annotations of the Lease. Two processes may have the same identity: the restart of a
 * container in its pod, or two processes that were given the same one by mistake. The id distinguishes them. The place shows
 * whether the other one can still run: only one process at a time can listen at an address of one network namespace.
 *
 * @param id random, of this process alone
 * @param place machine, network namespace and address; empty if it is not known
 */
public record HolderProcess(String id, String place) {

    static final String ID_ANNOTATION = "bucketwright.io/holder-process";
    static final String PLACE_ANNOTATION = "bucketwright.io/holder-place";

    private static final Path MACHINE = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Path NETWORK = Path.of("/proc/self/ns/net");

    /** This process, which takes over at once only from a released lease. */
    public static HolderProcess unplaced() {
        return new HolderProcess(UUID.randomUUID().toString(), "");
    }

    /** This process, which listens at that address until no work is in flight any more. */
    public static HolderProcess listeningAt(InetSocketAddress address) {
        try {
            String machine = Files.readString(MACHINE).strip();
            String network = Files.readSymbolicLink(NETWORK).toString();
            String place =
                    machine + " " + network + " " + address.getAddress().getHostAddress() + ":" + address.getPort();
            return new HolderProcess(
                    UUID.randomUUID().toString(),
                    UUID.nameUUIDFromBytes(place.getBytes(StandardCharsets.UTF_8))
                            .toString());
        } catch (IOException | UnsupportedOperationException e) {
            // Not Linux: a restarted process waits until its former lease expires.
            return unplaced();
        }
    }

    /** The process that wrote the Lease; without id and place if another program wrote it. */
    static HolderProcess of(HasMetadata lease) {
        return new HolderProcess(
                Metadata.annotation(lease, ID_ANNOTATION), Metadata.annotation(lease, PLACE_ANNOTATION));
    }

    Map<String, String> annotations() {
        return place.isEmpty() ? Map.of(ID_ANNOTATION, id) : Map.of(ID_ANNOTATION, id, PLACE_ANNOTATION, place);
    }

    /** Whether the other process has ended, because this one has its place. */
    boolean hasPlaceOf(HolderProcess other) {
        return !place.isEmpty() && place.equals(other.place()) && !id.equals(other.id());
    }
}
