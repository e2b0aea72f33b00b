{{/*
Policies that restrict the sidecar of one driver of the released kinds to objects of that driver. A dict:
  root, component
  name      of the policies
  account   user name of the service account
  driver    in lower case
  lease     the sidecar's Lease
  forbiddenNamespaces   quoted, with commas: where it writes no Secrets
*/}}
{{- define "bucketwright.driverPolicies" -}}
---
# RBAC cannot select objects by their driver. These policies do: the sidecar changes only what belongs to its driver,
# and of that only its finalizers, its annotations and the status.
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  {{- include "bucketwright.metadata" (dict "root" .root "component" .component "name" .name) | nindent 2 }}
spec:
  failurePolicy: Fail
  matchConstraints:
    resourceRules:
    - apiGroups: [objectstorage.k8s.io]
      apiVersions: ["*"]
      operations: [CREATE, UPDATE, DELETE]
      resources: [buckets, buckets/status, bucketclaims, bucketclaims/status, bucketaccesses, bucketaccesses/status]
  matchConditions:
  - name: is-this-sidecar
    expression: request.userInfo.username == '{{ .account }}'
  variables:
  - name: driver
    expression: "'{{ .driver }}'"
  # Of an access, as the sidecar recorded it.
  - name: recorded
    expression: >-
      oldObject == null ? ''
      : oldObject.metadata.?annotations[?'bucketwright.io/cosi-driver'].orValue('').lowerAscii()
  - name: before
    expression: "oldObject == null ? {} : oldObject.metadata.?annotations.orValue({})"
  - name: after
    expression: "object == null ? variables.before : object.metadata.?annotations.orValue({})"
  # What an administrator says: the sidecar may remove it when it is done, but neither write nor change it.
  - name: words
    expression: >-
      ['bucketwright.io/delete-existing-bucket', 'bucketwright.io/use-restored', 'bucketwright.io/deleted-accounts']
  - name: foreignBefore
    expression: variables.before.filter(key, !key.matches('^([a-z0-9.-]+[.])?bucketwright[.]io/'))
  - name: foreignAfter
    expression: >-
      variables.after.filter(key, key in variables.words || !key.matches('^([a-z0-9.-]+[.])?bucketwright[.]io/'))
  validations:
  - expression: >-
      request.operation == 'UPDATE' || (request.operation == 'DELETE' && request.resource.resource == 'bucketaccesses')
    reason: Forbidden
    message: the sidecar creates none of these objects, and deletes only BucketAccesses
  - expression: >-
      request.resource.resource != 'buckets'
      || (oldObject != null && oldObject.?spec.?driverName.orValue('').lowerAscii() == variables.driver)
    reason: Forbidden
    message: "this Bucket does not belong to driver {{ .driver }}"
  - expression: request.resource.resource != 'bucketaccesses' || variables.recorded in ['', variables.driver]
    reason: Forbidden
    message: "this BucketAccess does not belong to driver {{ .driver }}"
  - expression: >-
      object == null || variables.after[?'bucketwright.io/cosi-driver'].orValue(variables.driver).lowerAscii()
      == variables.driver
    reason: Forbidden
    message: "the sidecar can record only its own driver, {{ .driver }}"
  - expression: >-
      object == null || oldObject == null
      || (has(object.spec) == has(oldObject.spec) && (!has(object.spec) || object.spec == oldObject.spec))
    reason: Forbidden
    message: the sidecar may change finalizers, annotations and the status, not the spec
  - expression: >-
      object == null || oldObject == null
      || (object.metadata.?labels.orValue({}) == oldObject.metadata.?labels.orValue({})
      && object.metadata.?ownerReferences.orValue([]) == oldObject.metadata.?ownerReferences.orValue([])
      && object.metadata.?finalizers.orValue([]).filter(name, !name.startsWith('cosi.objectstorage.k8s.io/'))
      == oldObject.metadata.?finalizers.orValue([]).filter(name, !name.startsWith('cosi.objectstorage.k8s.io/')))
    reason: Forbidden
    message: the sidecar may change only the finalizers of COSI, and neither labels nor owners
  - expression: >-
      variables.foreignBefore.all(key, key in variables.after)
      && variables.foreignAfter.all(key, key in variables.before && variables.after[key] == variables.before[key])
    reason: Forbidden
    message: the sidecar may change only annotations of Bucketwright that administrators do not set
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  {{- include "bucketwright.metadata" (dict "root" .root "component" .component "name" .name) | nindent 2 }}
spec:
  policyName: {{ .name }}
  validationActions: [Deny]
---
# An access that no sidecar has recorded yet belongs to the driver of its class. This is evaluated once for each class.
# Ignore: while the API server does not know the kind of the classes, it would refuse the requests of everybody.
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  {{- include "bucketwright.metadata" (dict "root" .root "component" .component "name" (printf "%s-accesses" .name)) | nindent 2 }}
spec:
  failurePolicy: Ignore
  paramKind: {apiVersion: objectstorage.k8s.io/v1alpha1, kind: BucketAccessClass}
  matchConstraints:
    resourceRules:
    - apiGroups: [objectstorage.k8s.io]
      apiVersions: ["*"]
      operations: [UPDATE, DELETE]
      resources: [bucketaccesses, bucketaccesses/status]
  matchConditions:
  - name: is-this-sidecar
    expression: request.userInfo.username == '{{ .account }}'
  validations:
  - expression: >-
      params.metadata.name != oldObject.?spec.?bucketAccessClassName.orValue('')
      || params.driverName.lowerAscii() == '{{ .driver }}'
      || oldObject.metadata.?annotations[?'bucketwright.io/cosi-driver'].orValue('').lowerAscii() == '{{ .driver }}'
    reason: Forbidden
    message: "the class of this BucketAccess does not belong to driver {{ .driver }}"
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  {{- include "bucketwright.metadata" (dict "root" .root "component" .component "name" (printf "%s-accesses" .name)) | nindent 2 }}
spec:
  policyName: {{ .name }}-accesses
  # Of each class. Without any, the other policy applies.
  paramRef: {selector: {}, parameterNotFoundAction: Allow}
  validationActions: [Deny]
---
# The same for claims. A tenant may have changed the class of a claim that is being deleted.
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  {{- include "bucketwright.metadata" (dict "root" .root "component" .component "name" (printf "%s-claims" .name)) | nindent 2 }}
spec:
  failurePolicy: Ignore
  paramKind: {apiVersion: objectstorage.k8s.io/v1alpha1, kind: BucketClass}
  matchConstraints:
    resourceRules:
    - apiGroups: [objectstorage.k8s.io]
      apiVersions: ["*"]
      operations: [UPDATE]
      resources: [bucketclaims, bucketclaims/status]
  matchConditions:
  - name: is-this-sidecar
    expression: request.userInfo.username == '{{ .account }}'
  validations:
  - expression: >-
      params.metadata.name != oldObject.?spec.?bucketClassName.orValue('')
      || params.driverName.lowerAscii() == '{{ .driver }}'
      || oldObject.?spec.?existingBucketName.orValue('') != ''
      || (has(oldObject.metadata.deletionTimestamp) && request.?subResource.orValue('') == '')
    reason: Forbidden
    message: "the class of this BucketClaim does not belong to driver {{ .driver }}"
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  {{- include "bucketwright.metadata" (dict "root" .root "component" .component "name" (printf "%s-claims" .name)) | nindent 2 }}
spec:
  policyName: {{ .name }}-claims
  # Of each class. Without any, the other policy applies.
  paramRef: {selector: {}, parameterNotFoundAction: Allow}
  validationActions: [Deny]
---
# RBAC cannot select Secrets by their content: the sidecar writes only Secrets as a BucketAccess has them, and only its
# own Lease.
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  {{- include "bucketwright.metadata" (dict "root" .root "component" .component "name" (printf "%s-secrets" .name)) | nindent 2 }}
spec:
  failurePolicy: Fail
  matchConstraints:
    resourceRules:
    - apiGroups: [""]
      apiVersions: ["*"]
      operations: [CREATE, UPDATE, DELETE]
      resources: [secrets, secrets/*]
    - apiGroups: [coordination.k8s.io]
      apiVersions: ["*"]
      operations: [CREATE, UPDATE, DELETE]
      resources: [leases]
  matchConditions:
  - name: is-this-sidecar
    expression: request.userInfo.username == '{{ .account }}'
  variables:
  - name: isSecret
    expression: request.resource.resource == 'secrets'
  - name: objects
    expression: "[oldObject, object].filter(one, one != null)"
  - name: before
    expression: "oldObject == null ? {} : oldObject.?data.orValue({})"
  validations:
  - expression: variables.isSecret || variables.objects.all(one, one.metadata.name == '{{ .lease }}')
    reason: Forbidden
    message: "the sidecar may change only its own Lease, {{ .lease }}"
  - expression: "!variables.isSecret || !(request.namespace in [{{ .forbiddenNamespaces }}])"
    reason: Forbidden
    message: the sidecar may not write Secrets in this namespace
  # Its text begins with {"metadata":{"name":"bc-, or an annotation of the sidecar proves it if somebody has edited that text.
  - expression: >-
      !variables.isSecret || oldObject == null || (oldObject.type == 'Opaque'
      && (variables.before[?'BucketInfo'].orValue('').startsWith('eyJtZXRhZGF0YSI6eyJuYW1lIjoiYmMt')
      || 'bucketwright.io/grant' in oldObject.metadata.?annotations.orValue({})))
    reason: Forbidden
    message: this Secret does not belong to a BucketAccess
  - expression: >-
      !variables.isSecret || object == null || (object.type == 'Opaque' && object.?data.orValue({}).all(key,
      key in ['BucketInfo', 'ca-bundle.crt'] || key.matches('^[A-Z][A-Z0-9_]*$')
      || (key in variables.before && object.data[key] == variables.before[key])))
    reason: Forbidden
    message: the sidecar may write only Secrets with the keys of a BucketAccess
  - expression: >-
      !variables.isSecret || oldObject != null || ('BucketInfo' in object.?data.orValue({})
      && 'cosi.objectstorage.k8s.io/secret-protection' in object.metadata.?finalizers.orValue([]))
    reason: Forbidden
    message: the sidecar may create only Secrets as a BucketAccess has them, with their finalizer
  - expression: >-
      !variables.isSecret || variables.objects.all(one,
      one.metadata.?annotations[?'bucketwright.io/cosi-driver'].orValue('{{ .driver }}').lowerAscii() == '{{ .driver }}')
    reason: Forbidden
    message: "this Secret does not belong to driver {{ .driver }}"
  - expression: >-
      !variables.isSecret || request.operation == 'DELETE'
      || (object.metadata.?labels.orValue({})
      == (oldObject == null ? {} : oldObject.metadata.?labels.orValue({}))
      && object.metadata.?ownerReferences.orValue([])
      == (oldObject == null ? [] : oldObject.metadata.?ownerReferences.orValue([])))
    reason: Forbidden
    message: the sidecar may change neither labels nor owners of a Secret
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  {{- include "bucketwright.metadata" (dict "root" .root "component" .component "name" (printf "%s-secrets" .name)) | nindent 2 }}
spec:
  policyName: {{ .name }}-secrets
  validationActions: [Deny]
{{- end }}
