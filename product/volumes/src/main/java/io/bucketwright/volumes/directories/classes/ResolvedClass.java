package io.bucketwright.volumes.directories.classes;

/** The StorageClass of a claim, resolved by name. */
public sealed interface ResolvedClass {

    /** The claim names no class, the class does not exist, or another provisioner serves it. */
    record NotServed() implements ResolvedClass {}

    /** This process serves the class, but its parameters are invalid. */
    record Invalid(String provisioner, String problem) implements ResolvedClass {}

    /** The volumes of the class are on the disks of nodes; a process on each node serves them, and this process has no node. */
    record NodeLocal(String provisioner) implements ResolvedClass {}

    record Served(DirectoryClass directoryClass) implements ResolvedClass {}
}
