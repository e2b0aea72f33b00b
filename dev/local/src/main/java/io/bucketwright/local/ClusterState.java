package io.bucketwright.local;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.bucketwright.local.binaries.KubernetesVersion;
import io.bucketwright.local.report.LocalClusterException;
import io.bucketwright.local.server.Component;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a cluster must remember of itself between commands; kept in {@code cluster.json}. Processes are not in it: those
 * leave their identity in {@code pids/} themselves.
 *
 * @param version of this record; a newer one is refused, not guessed
 * @param kubernetes its version of Kubernetes; a cluster keeps it
 * @param id made for this cluster, part of names outside its folder (control groups)
 * @param ports by component, kept over restarts
 * @param additions what it has beside the control plane
 */
record ClusterState(
        int version, KubernetesVersion kubernetes, String id, Map<Component, Integer> ports, Set<AddOn> additions) {

    static final int VERSION = 3;
    static final String FILE = "cluster.json";

    ClusterState {
        if (version != VERSION) {
            throw new LocalClusterException(
                    "This cluster was made by another version of Bucketwright (its state has version " + version
                            + ", this one supports " + VERSION + "). Stop it with the version that created it.");
        }
        ports = Map.copyOf(ports);
        additions = Set.copyOf(additions);
    }

    ClusterState withPort(Component component, int port) {
        Map<Component, Integer> changed = new TreeMap<>(ports);
        changed.put(component, port);
        return new ClusterState(version, kubernetes, id, changed, additions);
    }

    ClusterState withAdditions(Collection<AddOn> more) {
        Set<AddOn> all = new TreeSet<>(additions);
        all.addAll(more);
        return new ClusterState(version, kubernetes, id, ports, all);
    }

    /** The port of a component that was started. */
    int port(Component component) {
        Integer port = ports.get(component);
        if (port == null) {
            throw new IllegalArgumentException(component.processName() + " is not part of this cluster");
        }
        return port;
    }

    static ClusterState load(Path dir) {
        Path file = dir.resolve(FILE);
        try {
            return mapper().readValue(file.toFile(), ClusterState.class);
        } catch (JsonProcessingException e) {
            if (e.getCause() instanceof LocalClusterException failure) {
                throw failure;
            }
            throw new LocalClusterException(
                    file + " is damaged: " + e.getOriginalMessage() + ". End what runs and remove " + dir + ".", e);
        } catch (IOException e) {
            throw new LocalClusterException("Cannot read " + file + ": " + e.getMessage() + ".", e);
        }
    }

    void save(Path dir) {
        Path file = dir.resolve(FILE);
        LocalClusterException.orFail("Cannot write " + file, () -> {
            Path fresh = Files.writeString(dir.resolve("." + FILE), mapper().writeValueAsString(this));
            return Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        });
    }

    @Override
    public String toString() {
        return "ClusterState[" + id + ", " + additions + ", " + ports + "]";
    }

    private static ObjectMapper mapper() {
        return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    }
}
