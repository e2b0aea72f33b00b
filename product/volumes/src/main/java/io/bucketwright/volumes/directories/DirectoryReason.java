package io.bucketwright.volumes.directories;

/** The reasons of events on the claims and volumes of directories. */
public final class DirectoryReason {

    /** The volume was created. */
    public static final String PROVISIONING_SUCCEEDED = "ProvisioningSucceeded";

    /** Nothing was created. The message says why and what to do. */
    public static final String PROVISIONING_FAILED = "ProvisioningFailed";

    /** The claim requests a larger size. Directories are not expanded. */
    public static final String VOLUME_RESIZE_FAILED = "VolumeResizeFailed";

    /** The directory of the volume was not removed. The message says why. */
    public static final String VOLUME_FAILED_DELETE = "VolumeFailedDelete";

    /**
     * The volume is deleted without its directory: an administrator gave it up, its node no longer exists, or a new
     * claim of that name uses the directory.
     */
    public static final String DIRECTORY_ABANDONED = "DirectoryAbandoned";

    private DirectoryReason() {}
}
