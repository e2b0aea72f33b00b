package io.bucketwright.app.docs;

import io.bucketwright.app.doctor.observation.LeaseRole;
import io.bucketwright.app.doctor.observation.Permission;
import io.bucketwright.app.doctor.observation.RolePermissions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The permissions in docs/security.md are those of deploy/*-rbac.yaml. */
class SecurityPageTest {

    private static final String OWN = "own-namespace";

    @Test
    void theTableHasThePermissionsOfEveryRole() {
        StringBuilder table =
                new StringBuilder("\n| role | service account | where | resource | verbs |\n|---|---|---|---|---|\n");
        for (LeaseRole role : LeaseRole.values()) {
            rows(role)
                    .forEach((row, verbs) -> table.append("| ")
                            .append(row)
                            .append(" | ")
                            .append(String.join(", ", verbs))
                            .append(" |\n"));
        }
        new GeneratedPage(Path.of("../../docs/security.md"))
                .assertSection("permissions", table.append("\n").toString());
    }

    /** The verbs of each row. */
    private static Map<String, List<String>> rows(LeaseRole role) {
        Map<String, List<String>> rows = new LinkedHashMap<>();
        for (Permission permission : RolePermissions.of(role).required(role, OWN, "")) {
            String where = switch (permission.namespace()) {
                case "" -> "cluster";
                case OWN -> "own namespace";
                default -> "namespace `" + permission.namespace() + "`";
            };
            String resource = permission.group().isEmpty()
                    ? permission.resource()
                    : permission.resource() + "." + permission.group();
            String row = role + " | `" + role.ownAccount() + "` | " + where + " | `" + resource + "`"
                    + (permission.name().isEmpty() ? "" : " named `" + permission.name() + "`");
            rows.computeIfAbsent(row, _ -> new ArrayList<>()).add(permission.verb());
        }
        return rows;
    }
}
