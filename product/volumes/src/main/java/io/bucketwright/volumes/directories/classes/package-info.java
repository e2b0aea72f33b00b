/**
 * StorageClasses and the settings of the process. A class is parsed once and validated as a whole: the path of its
 * directories on the nodes, the owners and sizes it allows, and what happens to directories on deletion. An invalid class
 * provisions nothing, and the events of its claims report the problem. Parameters of a class are immutable, so the result is
 * valid as long as the class has the same uid.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@NullMarked
package io.bucketwright.volumes.directories.classes;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
