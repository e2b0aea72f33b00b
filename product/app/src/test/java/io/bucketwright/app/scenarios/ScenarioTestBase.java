package io.bucketwright.app.scenarios;

import io.bucketwright.testing.OnCluster;
import io.bucketwright.testing.TestCluster;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A test class whose tests have a {@link Scenario} each. */
@OnCluster
public abstract class ScenarioTestBase {

    @TempDir
    protected Path folder;

    protected Scenario scenario;

    @BeforeEach
    void open(TestCluster cluster) {
        scenario = Scenario.of(cluster, folder);
    }

    @AfterEach
    void close() {
        scenario.close();
    }
}
