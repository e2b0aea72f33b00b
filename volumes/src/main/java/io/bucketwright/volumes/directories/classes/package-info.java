/**
 * What an administrator says in a StorageClass, read once and checked as a whole: where the directories are for the nodes,
 * who may own them, how large they may be, what becomes of them. A class that says something wrong makes nothing; its claims
 * are told what is wrong. Parameters of a class cannot change, so what was read stays true for the class's uid.
 */
@NullMarked
package io.bucketwright.volumes.directories.classes;

import org.jspecify.annotations.NullMarked;
