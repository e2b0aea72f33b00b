package io.bucketwright.app.scenarios;

/** A pod that runs a shell command once, in the image that every node of a local cluster has. */
public record ShellPod(String name, String command) {

    /**
     * The pod as YAML.
     *
     * @param metadata further fields of its metadata
     * @param spec further fields of its spec
     * @param container further fields of its container
     */
    public String yaml(String metadata, String spec, String container) {
        return """
            apiVersion: v1
            kind: Pod
            metadata:
              name: %s
            %sspec:
              automountServiceAccountToken: false
              enableServiceLinks: false
              restartPolicy: Never
              terminationGracePeriodSeconds: 0
            %s  containers:
              - name: application
                image: bucketwright.local/busybox:1
                imagePullPolicy: Never
                command: [sh, -c, '%s']
            %s""".formatted(name, metadata.indent(2), spec.indent(2), command, container.indent(4));
    }
}
