package io.bucketwright.app.doctor.observation;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * What is checked.
 *
 * @param checks the checks to run
 * @param namespace whose claims are checked; empty for all namespaces
 * @param controllerNamespace where the controllers run
 * @param provisioners names of bucket provisioners in StorageClasses; empty for those that are installed
 * @param store the kind of their stores; empty for what each controller publishes
 * @param classDefaults class parameters that the controller adds; empty for what it publishes
 * @param stuckAfter how long a claim may be pending, or a deletion may take
 */
public record DoctorScope(
        Set<CheckName> checks,
        String namespace,
        String controllerNamespace,
        Set<String> provisioners,
        String store,
        Map<String, String> classDefaults,
        Duration stuckAfter) {

    /** The provisioner of directory classes. */
    public static final String DIRECTORY_PROVISIONER = "bucketwright.io/directory";

    public DoctorScope {
        checks = Set.copyOf(checks);
        provisioners = Set.copyOf(provisioners);
        classDefaults = Map.copyOf(classDefaults);
    }

    public boolean includes(CheckName check) {
        return checks.contains(check);
    }
}
