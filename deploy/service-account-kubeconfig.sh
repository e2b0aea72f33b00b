#!/bin/sh
# Prints a kubeconfig of a service account, to run a controller outside of a pod with exactly its permissions.
# usage: service-account-kubeconfig.sh NAMESPACE ACCOUNT [DURATION] > FILE
# The token expires after DURATION, by default 8h. KUBECTL is the kubectl to use, with its flags.
set -eu
[ $# -ge 2 ] || { echo "usage: $0 NAMESPACE ACCOUNT [DURATION] > FILE" >&2; exit 2; }
kubectl=${KUBECTL:-kubectl}
server=$($kubectl config view --raw --minify -o 'jsonpath={.clusters[0].cluster.server}')
authority=$($kubectl get configmap kube-root-ca.crt -n default -o 'jsonpath={.data.ca\.crt}' | base64 | tr -d '\n')
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
