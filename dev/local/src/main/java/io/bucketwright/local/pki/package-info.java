/**
 * Who is who in a local cluster: a certificate authority made for it, certificates for its servers and its users,
 * and the kubeconfigs that carry them.
 */
@NullMarked
package io.bucketwright.local.pki;

import org.jspecify.annotations.NullMarked;
