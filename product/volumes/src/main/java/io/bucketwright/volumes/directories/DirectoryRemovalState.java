package io.bucketwright.volumes.directories;

import java.util.EnumSet;
import java.util.Set;

/**
 * What this process did for one volume. If it is lost, idempotent steps are repeated.
 *
 * @param reported the last message that was reported in an event
 * @param startNanos when the work on the volume started; 0 if it has not
 */
record DirectoryRemovalState(Set<Fact> facts, String reported, long startNanos) {

    /** What a step found out or did. */
    enum Fact {
        /** Neither a marker nor a directory exists. */
        MISSING,
        /** The node of a local volume no longer exists. */
        NODE_MISSING,
        /** The directory existed when the deletion of the volume began. */
        PRESENT,
        /** The directory was deleted or archived. */
        REMOVED,
        /** The deletion was counted in the metrics. */
        COUNTED
    }

    static final DirectoryRemovalState INITIAL = new DirectoryRemovalState(Set.of(), "", 0);

    DirectoryRemovalState {
        facts = Set.copyOf(facts);
    }

    boolean has(Fact fact) {
        return facts.contains(fact);
    }

    DirectoryRemovalState with(Fact fact) {
        Set<Fact> more = EnumSet.of(fact);
        more.addAll(facts);
        return new DirectoryRemovalState(more, reported, startNanos);
    }

    DirectoryRemovalState withReported(String message) {
        return new DirectoryRemovalState(facts, message, startNanos);
    }

    DirectoryRemovalState started(long nanos) {
        return startNanos == 0 ? new DirectoryRemovalState(facts, reported, nanos) : this;
    }
}
