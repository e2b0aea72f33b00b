{{/* Name of a role and of its binding: dict root, role, shared. */}}
{{- define "bucketwright.roleName" -}}
{{- if .shared }}{{ printf "bucketwright-%s" .role }}{{ else }}{{ include "bucketwright.name" (list .root .role) }}{{ end }}
{{- end }}

{{/*
Binds a role to the service account of a component. A dict:
  root, component, settings
  role        suffix of the names of role and binding, as in bucketwright.name
  shared      the names do not have the release's name: Helm refuses a second release with them
  clusterRole suffix of the role's name, if several bindings have the same ClusterRole
  roleKind    ClusterRole (default) or Role
  namespace   of the RoleBinding; without it, a ClusterRoleBinding
  accountNamespace   default: the release's namespace
*/}}
{{- define "bucketwright.binding" -}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: {{ .namespace | empty | ternary "ClusterRoleBinding" "RoleBinding" }}
metadata:
  {{- include "bucketwright.metadata" (dict "root" .root "component" .component "name" (include "bucketwright.roleName" .) "namespace" .namespace) | nindent 2 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: {{ .roleKind | default "ClusterRole" }}
  name: {{ include "bucketwright.roleName" (dict "root" .root "shared" .shared "role" (.clusterRole | default .role)) }}
subjects:
- kind: ServiceAccount
  name: {{ include "bucketwright.serviceAccountName" (list .root .component .settings) }}
  namespace: {{ .accountNamespace | default .root.Release.Namespace }}
{{- end }}

{{/* Head of a ClusterRole or Role; its rules follow. A dict: root, component, role, namespace (for a Role), labels. */}}
{{- define "bucketwright.role" -}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: {{ .namespace | empty | ternary "ClusterRole" "Role" }}
metadata:
  {{- include "bucketwright.metadata" (dict "root" .root "component" .component "name" (include "bucketwright.roleName" .) "namespace" .namespace "labels" .labels) | nindent 2 }}
{{- end }}

{{/* A Role for Leases in the release's namespace, and its binding: dict root, component, settings. */}}
{{- define "bucketwright.leaseRole" -}}
{{- $role := merge (dict "role" (printf "%s-leases" .component) "roleKind" "Role" "namespace" .root.Release.Namespace) . }}
{{- include "bucketwright.role" $role }}
rules:
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  verbs: [get, create, update]
{{ include "bucketwright.binding" $role }}
{{- end }}

{{/* A Role in namespace default for events of cluster-scoped objects, and its binding: dict root, component, settings. */}}
{{- define "bucketwright.eventRole" -}}
{{- $role := merge (dict "role" (printf "%s-events" .component) "roleKind" "Role" "namespace" "default") . }}
{{- include "bucketwright.role" $role }}
rules:
- apiGroups: [events.k8s.io]
  resources: [events]
  verbs: [create, patch]
{{ include "bucketwright.binding" $role }}
{{- end }}
