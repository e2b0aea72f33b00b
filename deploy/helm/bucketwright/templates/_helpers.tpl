{{/* Prefix of all names. */}}
{{- define "bucketwright.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" }}
{{- else if contains .Chart.Name .Release.Name }}
{{- .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{/* Name of an object of a component: (list $ "buckets"). */}}
{{- define "bucketwright.name" -}}
{{- printf "%s-%s" (include "bucketwright.fullname" (index . 0)) (index . 1 | replace "." "-") | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/* Labels that select all pods of the release. */}}
{{- define "bucketwright.release" -}}
app.kubernetes.io/name: bucketwright
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* Labels that select the pods of a component: (list $ "buckets"). */}}
{{- define "bucketwright.selector" -}}
{{ include "bucketwright.release" (index . 0) }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{/* Metadata of an object: dict root, component, name, optionally namespace ("" for cluster-scoped objects), annotations. */}}
{{- define "bucketwright.metadata" -}}
name: {{ .name }}
{{- with .namespace }}
namespace: {{ . }}
{{- end }}
labels:
  {{- include "bucketwright.selector" (list .root .component) | nindent 2 }}
  app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
  helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
  {{- with .labels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with .annotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* The settings of a role: the defaults, overridden by its own. (list $ .Values.buckets) */}}
{{- define "bucketwright.settings" -}}
{{- toYaml (mergeOverwrite (deepCopy (index . 0).Values.defaults) (deepCopy (index . 1))) }}
{{- end }}

{{/* (list $ "buckets" settings) */}}
{{- define "bucketwright.serviceAccountName" -}}
{{- (index . 2).serviceAccount.name | default (include "bucketwright.name" (list (index . 0) (index . 1))) }}
{{- end }}

{{/* Name of a Lease, as the commands choose it: with a hash of what is served, if that is not the default. (list role id default namespace) */}}
{{- define "bucketwright.lease" -}}
{{- $name := printf "bucketwright-%s" (index . 0) }}
{{- if or (ne (index . 1) (index . 2)) (index . 3) }}
{{- $name = printf "%s-%s" $name (printf "%s\n%s" (index . 1) (index . 3) | sha256sum | trunc 8) }}
{{- end }}
{{- $name }}
{{- end }}

{{- define "bucketwright.image" -}}
{{- if .Values.image.digest }}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest }}
{{- else }}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) }}
{{- end }}
{{- end }}

{{/* Whether objects of the Prometheus operator are created: "true" or empty. */}}
{{- define "bucketwright.prometheusOperator" -}}
{{- if eq .Values.monitoring.prometheusOperator "always" }}true
{{- else if eq .Values.monitoring.prometheusOperator "auto" }}
{{- if .Capabilities.APIVersions.Has "monitoring.coreos.com/v1" }}true{{ end }}
{{- end }}
{{- end }}

{{/* Component of an entry of a list, such as driver-s3.example.com. (list "driver" entry) */}}
{{- define "bucketwright.component" -}}
{{- printf "%s-%s" (index . 0) (index . 1).name | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/* Namespace of a driver: (list $ entry). */}}
{{- define "bucketwright.driverNamespace" -}}
{{- (index . 1).namespace | default (index . 0).Release.Namespace }}
{{- end }}

{{/* The namespaces that have pods of this release: its own and those of drivers. */}}
{{- define "bucketwright.podNamespaces" -}}
{{- $namespaces := list .Release.Namespace }}
{{- range .Values.drivers }}
{{- $namespaces = append $namespaces (include "bucketwright.driverNamespace" (list $ .)) }}
{{- end }}
{{- toYaml (uniq $namespaces) }}
{{- end }}

{{/* Whether a driver of ours runs in a container of its own, with metrics of its own; empty for no. */}}
{{- define "bucketwright.driverMetrics" -}}
{{- range .Values.drivers }}{{ if eq (.mode | default "process") "containers" }}true{{ end }}{{ end }}
{{- end }}

{{/* Fails if two entries of a list have the same object names: (dict "list" .Values.drivers "what" "drivers"). */}}
{{- define "bucketwright.requireUnique" -}}
{{- $seen := dict }}
{{- range .list }}
{{- $name := .name | replace "." "-" }}
{{- if hasKey $seen $name }}
{{- fail (printf "%s: two entries are named %s; dots and hyphens are the same here. Give each its own name." $.what $name) }}
{{- end }}
{{- $_ := set $seen $name true }}
{{- end }}
{{- end }}

{{/* The API of COSI that a driver's sidecar serves. */}}
{{- define "bucketwright.driverApi" -}}
{{- .api | default "objectstorage.k8s.io" }}
{{- end }}

{{/* Whether the COSI controller of the release serves an API: "true" or empty. (list $ "cosi.io") */}}
{{- define "bucketwright.controllerServes" -}}
{{- with (index . 0).Values.cosi }}
{{- if and .enabled (or (eq .api "all") (eq .api (index $ 1))) }}true{{ end }}
{{- end }}
{{- end }}

{{/* Whether a role of the release uses an API of COSI: "true" or empty. (list $ "cosi.io") */}}
{{- define "bucketwright.usesApi" -}}
{{- $api := index . 1 }}
{{- $uses := include "bucketwright.controllerServes" . }}
{{- with (index . 0).Values }}
{{- if and .adapter.enabled (eq $api "cosi.io") }}
{{- $uses = "true" }}
{{- end }}
{{- range .drivers }}
{{- if eq (include "bucketwright.driverApi" .) $api }}
{{- $uses = "true" }}
{{- end }}
{{- end }}
{{- end }}
{{- $uses }}
{{- end }}

{{/* Fails if the COSI controller of the release does not serve cosi.io: (list $ "adapter.enabled is true"). */}}
{{- define "bucketwright.requireDesignApi" -}}
{{- $root := index . 0 }}
{{- if and $root.Values.cosi.enabled (not (include "bucketwright.controllerServes" (list $root "cosi.io"))) }}
{{- fail (printf "%s, but the COSI controller serves only %s: set cosi.api to cosi.io or all." (index . 1) $root.Values.cosi.api) }}
{{- end }}
{{- end }}
