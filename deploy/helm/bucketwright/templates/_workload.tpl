{{/*
ServiceAccount, Deployment or DaemonSet, and PodDisruptionBudget of a component. A dict:
  root, component, settings, kind, namespace
  containers  list of dicts for bucketwright.container
  volumes     list of volumes beside /tmp
  accountLabels   labels of the ServiceAccount beside those of the chart
  withoutToken    whether the containers get no token of the ServiceAccount but by a volume
*/}}
{{- define "bucketwright.workload" -}}
{{- $settings := .settings }}
{{- $name := include "bucketwright.name" (list .root .component) }}
{{- $selector := include "bucketwright.selector" (list .root .component) }}
{{- $metadata := dict "root" .root "component" .component "name" $name "namespace" .namespace }}
{{- $replicated := and (eq .kind "Deployment") (gt (int $settings.replicas) 1) }}
{{- if $settings.serviceAccount.create }}
---
apiVersion: v1
kind: ServiceAccount
metadata:
  {{- include "bucketwright.metadata" (merge (dict "name" (include "bucketwright.serviceAccountName" (list .root .component $settings)) "annotations" $settings.serviceAccount.annotations "labels" .accountLabels) $metadata) | nindent 2 }}
{{- end }}
---
apiVersion: apps/v1
kind: {{ .kind }}
metadata:
  {{- include "bucketwright.metadata" $metadata | nindent 2 }}
spec:
  {{- if eq .kind "Deployment" }}
  replicas: {{ int $settings.replicas }}
  strategy:
    type: RollingUpdate
    # The new process is ready before the old one releases its Lease. On the host's network, its port must be free first.
    rollingUpdate: {{ $settings.hostNetwork | ternary "{maxSurge: 0, maxUnavailable: 1}" "{maxSurge: 1, maxUnavailable: 0}" }}
  {{- else }}
  updateStrategy:
    type: RollingUpdate
  {{- end }}
  selector:
    matchLabels:
      {{- $selector | nindent 6 }}
  template:
    metadata:
      labels:
        {{- $selector | nindent 8 }}
        {{- with $settings.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      annotations:
        kubectl.kubernetes.io/default-container: {{ (first .containers).name }}
        {{- with $settings.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: {{ include "bucketwright.serviceAccountName" (list .root .component $settings) }}
      {{- if .withoutToken }}
      automountServiceAccountToken: false
      {{- end }}
      {{- with .root.Values.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- if $settings.hostNetwork }}
      hostNetwork: true
      dnsPolicy: ClusterFirstWithHostNet
      {{- end }}
      {{- with $settings.priorityClassName }}
      priorityClassName: {{ . }}
      {{- end }}
      terminationGracePeriodSeconds: {{ int $settings.terminationGracePeriodSeconds }}
      enableServiceLinks: false
      securityContext:
        {{- toYaml $settings.podSecurityContext | nindent 8 }}
      {{- with $settings.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $settings.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $settings.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- if and $replicated $settings.topologySpread }}
      topologySpreadConstraints:
        {{- range $settings.topologySpread }}
        - maxSkew: 1
          topologyKey: {{ .topologyKey }}
          whenUnsatisfiable: {{ .whenUnsatisfiable }}
          labelSelector:
            matchLabels:
              {{- $selector | nindent 14 }}
        {{- end }}
      {{- end }}
      containers:
        {{- $root := .root }}
        {{- range .containers }}
        {{- include "bucketwright.container" (dict "root" $root "settings" $settings "container" .) | nindent 8 }}
        {{- end }}
      volumes:
        # The only writable path.
        - name: tmp
          emptyDir: {}
        {{- with .volumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
{{- if and $replicated $settings.podDisruptionBudget.enabled }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "bucketwright.metadata" $metadata | nindent 2 }}
spec:
  maxUnavailable: {{ $settings.podDisruptionBudget.maxUnavailable }}
  selector:
    matchLabels:
      {{- $selector | nindent 6 }}
{{- end }}
{{- end }}

{{/*
A container. dict root, settings, container:
  name, args       required
  env, mounts      lists, added to those of all containers
  status           whether it serves /livez, /readyz and /metrics
  port, portName   where; default: the port of the settings, metrics
  resources, securityContext   default: those of the settings
*/}}
{{- define "bucketwright.container" -}}
{{- $container := .container }}
{{- $settings := .settings }}
- name: {{ $container.name }}
  image: {{ include "bucketwright.image" .root | quote }}
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  args:
    {{- toYaml $container.args | nindent 4 }}
  env:
    # The name of this process in its Lease.
    - name: POD_UID
      valueFrom: {fieldRef: {fieldPath: metadata.uid}}
    # A label of its Lease.
    - {name: BUCKETWRIGHT_RELEASE, value: {{ .root.Release.Name }}}
    {{- with $container.env }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- if $container.status }}
  {{- $port := $container.portName | default "metrics" }}
  ports:
    - {name: {{ $port }}, containerPort: {{ int ($container.port | default $settings.port) }}}
  startupProbe:
    httpGet: {path: /livez, port: {{ $port }}}
    periodSeconds: 2
    failureThreshold: 60
  livenessProbe:
    httpGet: {path: /livez, port: {{ $port }}}
    periodSeconds: 10
    timeoutSeconds: 5
  readinessProbe:
    httpGet: {path: /readyz, port: {{ $port }}}
    periodSeconds: 5
    timeoutSeconds: 5
  {{- end }}
  resources:
    {{- toYaml ($container.resources | default $settings.resources) | nindent 4 }}
  securityContext:
    {{- toYaml ($container.securityContext | default $settings.securityContext) | nindent 4 }}
  volumeMounts:
    - {name: tmp, mountPath: /tmp}
    {{- with $container.mounts }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end }}

{{/* Arguments of a process: flags of the log, the command with its flags, its address, extraArgs. (list settings command) */}}
{{- define "bucketwright.arguments" -}}
{{- $settings := index . 0 }}
{{- $log := list (printf "--log-format=%s" $settings.log.format) (printf "--log-level=%s" $settings.log.level) }}
{{- toYaml (concat $log (index . 1) (list (printf "--listen=0.0.0.0:%d" (int $settings.port))) $settings.extraArgs) }}
{{- end }}
