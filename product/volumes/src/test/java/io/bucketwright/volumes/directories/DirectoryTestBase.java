package io.bucketwright.volumes.directories;

import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A root and a fixture for each test. */
@OnCluster
abstract class DirectoryTestBase {

    @TempDir
    Path temporary;

    Path root;
    TestCluster cluster;
    DirectoryFixture bench;

    @BeforeEach
    void open(TestCluster given) throws IOException {
        cluster = given;
        root = Files.createDirectory(temporary.resolve("root"));
        bench = new DirectoryFixture(given, root);
    }

    @AfterEach
    void close() {
        bench.close();
    }
}
