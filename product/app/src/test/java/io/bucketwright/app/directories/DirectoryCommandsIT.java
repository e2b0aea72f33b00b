package io.bucketwright.app.directories;

import static org.assertj.core.api.Assertions.assertThat;

import io.bucketwright.app.claim.ClaimShell;
import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import io.bucketwright.volumes.directories.files.ClaimIdentity;
import io.bucketwright.volumes.directories.files.DeletionPolicy;
import io.bucketwright.volumes.directories.files.DirectoryMode;
import io.bucketwright.volumes.directories.files.DirectoryName;
import io.bucketwright.volumes.directories.files.DirectoryOwner;
import io.bucketwright.volumes.directories.files.DirectoryTree;
import io.bucketwright.volumes.directories.files.Marker;
import io.bucketwright.volumes.directories.files.MarkerFile;
import io.bucketwright.volumes.directories.files.RootDirectory;
import io.bucketwright.volumes.directories.files.RootIdentity;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands for directories that outlived their claims, volumes, disks or cluster. */
@OnCluster
class DirectoryCommandsIT {

    @TempDir
    private Path root;

    private TestCluster cluster;
    private DirectoryTree tree;
    private String name;
    private String out = "";

    @BeforeEach
    void prepare(TestCluster given) throws IOException {
        cluster = given;
        name = given.namespace() + "-photos-vol";
        RootDirectory directory = new RootDirectory(root);
        directory.initialize(new RootIdentity("root-" + given.namespace(), "any"));
        tree = new DirectoryTree(directory, directory.identity().orElseThrow());
    }

    @Test
    void unusedDirectoriesAreListedKeptAndRemoved() throws Exception {
        create(clusterId(), namespaceUid());
        assertThat(run("list", "--unused")).isZero();
        assertThat(out).contains(name + "  Unused  " + cluster.namespace() + "/photos");
        assertThat(run("keep", name)).isZero();
        assertThat(marker().state()).isEqualTo(Marker.State.RETAINED);
        assertThat(run("list")).isZero();
        assertThat(out).contains(name + "  Retained");

        PersistentVolume volume = volume();
        assertThat(run("remove", name, "--yes")).isEqualTo(1);
        assertThat(out).contains("PersistentVolume " + name + " exists");
        cluster.forceDelete(volume);
        assertThat(run("remove", name)).isEqualTo(2);
        assertThat(root.resolve(name).resolve("file")).exists();
        assertThat(run("remove", name, "--yes")).isZero();
        assertThat(root.resolve(name)).doesNotExist();
        assertThat(tree.markers()).isEmpty();
        assertThat(run("keep", "../etc")).isEqualTo(2);

        create(clusterId(), namespaceUid());
        tree.replaceMarker(marker(), marker().deleting(""));
        assertThat(run("keep", name)).isEqualTo(1);
        assertThat(out).contains("is being deleted");
    }

    @Test
    void directoriesOfAnotherClusterAreAdopted() throws Exception {
        create("former-cluster", "former-namespace");
        assertThat(run("list")).isZero();
        assertThat(out).contains(name + "  OtherCluster");
        assertThat(run("remove", name, "--yes")).isEqualTo(1);
        assertThat(out).contains("another cluster");
        // A directory that cannot be adopted keeps no other from being adopted.
        create("a-gone", "no-such-namespace", "former-cluster", "former-namespace");
        assertThat(run("adopt", "--from-cluster", "former-cluster")).isEqualTo(1);
        assertThat(out).contains("Directory a-gone was not adopted").contains("Adopted directory " + name);
        assertThat(marker().cluster()).isEqualTo(clusterId());
        assertThat(marker().claim().namespaceUid()).isEqualTo(namespaceUid());
        assertThat(marker().state()).isEqualTo(Marker.State.IN_USE);
        assertThat(root.resolve(name).resolve("file")).hasContent("precious");
    }

    @Test
    void theVolumesOfALostRootAreAbandonedOnlyWhenThatIsConfirmed() {
        PersistentVolume volume = volume();
        try {
            String id = "root-" + cluster.namespace();
            assertThat(run("abandon", "--root-id", id)).isZero();
            assertThat(out).contains(name).contains("Nothing was changed");
            assertThat(isAbandoned()).isFalse();
            assertThat(run("abandon", "--root-id", id, "--yes")).isZero();
            assertThat(isAbandoned()).isTrue();
            assertThat(run("abandon", "--node", "no-such-node", "--yes")).isEqualTo(1);
            assertThat(run("abandon", "--yes")).isEqualTo(2);
        } finally {
            cluster.forceDelete(volume);
        }
    }

    @Test
    void deploymentsWithDifferentRootsHaveDifferentLeases() {
        String one = DirectoryProvisionerCommand.defaultLeaseName("", List.of("/a", "fast=/b"));
        assertThat(DirectoryProvisionerCommand.defaultLeaseName("", List.of("fast=/b", "/a")))
                .isEqualTo(one)
                .startsWith("bucketwright-directories-");
        assertThat(DirectoryProvisionerCommand.defaultLeaseName("", List.of("/a")))
                .isNotEqualTo(one);
        assertThat(DirectoryProvisionerCommand.defaultLeaseName("node-1", List.of("/a")))
                .startsWith("bucketwright-directories-node-1-");
    }

    private int run(String command, String... arguments) {
        String[] flags = command.equals("abandon") ? new String[0] : new String[] {"--storage-asset-root=" + root};
        ClaimShell shell = new ClaimShell(cluster.local().kubeconfig(), flags);
        int code = shell.run(
                new DirectoryCommand(),
                Stream.concat(Stream.of(command), Stream.of(arguments)).toArray(String[]::new));
        out = shell.out() + shell.err();
        return code;
    }

    private void create(String clusterId, String namespaceUid) throws IOException {
        create(name, cluster.namespace(), clusterId, namespaceUid);
    }

    private void create(String directory, String namespace, String clusterId, String namespaceUid) throws IOException {
        Marker marker = new Marker(
                new DirectoryName(directory),
                new ClaimIdentity(namespace, "photos", "uid-1", namespaceUid),
                clusterId,
                "example.com/directory",
                "root-" + cluster.namespace(),
                "shared",
                root.toString(),
                "",
                new DirectoryOwner(1000, 1000),
                DirectoryMode.parse("0770"),
                1024,
                DeletionPolicy.DELETE,
                Marker.State.IN_USE,
                "");
        tree.createMarker(marker);
        tree.create(marker);
        Files.writeString(root.resolve(directory).resolve("file"), "precious");
    }

    private PersistentVolume volume() {
        PersistentVolume volume =
                Serialization.unmarshal("""
                metadata:
                  name: %s
                  annotations: {bucketwright.io/directory-root: root-%s}
                spec:
                  capacity: {storage: 1Mi}
                  accessModes: [ReadWriteOnce]
                  persistentVolumeReclaimPolicy: Retain
                  storageClassName: none
                  hostPath: {path: /none}
                """.formatted(name, cluster.namespace()), PersistentVolume.class);
        return cluster.admin().resource(volume).create();
    }

    private boolean isAbandoned() {
        return "true"
                .equals(cluster.admin()
                        .persistentVolumes()
                        .withName(name)
                        .get()
                        .getMetadata()
                        .getAnnotations()
                        .get("bucketwright.io/directory-abandoned"));
    }

    private Marker marker() throws IOException {
        Optional<MarkerFile> file = tree.marker(new DirectoryName(name));
        return file.flatMap(MarkerFile::valid).orElseThrow();
    }

    private String clusterId() {
        return uid("kube-system");
    }

    private String namespaceUid() {
        return uid(cluster.namespace());
    }

    private String uid(String namespace) {
        return cluster.admin()
                .namespaces()
                .withName(namespace)
                .get()
                .getMetadata()
                .getUid();
    }
}
