package io.bucketwright.cosi.sanity;

import java.util.List;

/** Names that no store has and no driver may take, whatever its protocol. */
final class InvalidNames {

    private InvalidNames() {}

    static List<String> all() {
        return List.of(
                "../../etc/passwd",
                "a/b",
                "two words",
                "line\nbreak",
                "tab\there",
                "nul\u0000byte",
                "$(reboot)",
                "`reboot`",
                "'; DROP TABLE buckets; --",
                "<script>",
                "%2e%2e%2f",
                "\u202egpj.stekcub",
                "bücket",
                "-",
                ".",
                "a".repeat(300),
                "a".repeat(70_000));
    }
}
