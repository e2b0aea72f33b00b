package io.bucketwright.volumes.directories.setup;

import io.bucketwright.volumes.directories.classes.DirectoryClass;

/** What a claim's class is to us. */
public sealed interface ClassView {

    /** Not there, not named, or somebody else's. */
    record NotOurs() implements ClassView {}

    /** Ours, but it makes no sense. */
    record Wrong(String provisioner, String why) implements ClassView {}

    /** Ours. */
    record Ours(DirectoryClass directoryClass) implements ClassView {}
}
