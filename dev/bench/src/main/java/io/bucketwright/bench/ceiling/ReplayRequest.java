package io.bucketwright.bench.ceiling;

import java.util.List;

/**
 * One line that the bench sends to the process of the ceiling.
 *
 * @param delete whether to repeat the writes of a deletion
 * @param objects what the bench created or changed for this name
 */
record ReplayRequest(String name, boolean delete, List<CreatedObject> objects) {

    ReplayRequest {
        objects = List.copyOf(objects);
    }
}
