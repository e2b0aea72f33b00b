#!/bin/sh
# Prints a kubeconfig of a service account, to run a controller outside of a pod with exactly its permissions.
# usage: service-account-kubeconfig.sh NAMESPACE ACCOUNT [DURATION] > FILE
# The token expires after DURATION, by default 8h. KUBECTL is the kubectl to use, with its flags.
set -eu
[ $# -ge 2 ] || { echo "usage: $0 NAMESPACE ACCOUNT [DURATION] > FILE" >&2; exit 2; }
kubectl=${KUBECTL:-kubectl}
cluster() { $kubectl config view --raw --minify --flatten -o "jsonpath={.clusters[0].cluster.$1}"; }
server=$(cluster server)
authority=$(cluster certificate-authority-data)
token=$($kubectl create token "$2" -n "$1" --duration "${3:-8h}")
cat <<YAML
apiVersion: v1
kind: Config
clusters:
- name: cluster
  cluster: {server: "$server", certificate-authority-data: $authority}
users:
- name: $2
  user: {token: $token}
contexts:
- name: $2
  context: {cluster: cluster, user: $2, namespace: $1}
current-context: $2
YAML
