# An application with the SDK of MinIO. It knows only its environment.
import io
import os
import sys

from minio import Minio
from minio.error import S3Error

client = Minio(
    os.environ["BUCKET_HOST"] + ":" + os.environ["BUCKET_PORT"],
    access_key=os.environ["AWS_ACCESS_KEY_ID"],
    secret_key=os.environ["AWS_SECRET_ACCESS_KEY"],
    region=os.environ["AWS_REGION"],
    secure=False,
)
bucket = sys.argv[1]
try:
    client.put_object(bucket, "hello", io.BytesIO(b"world"), 5)
    print("read", client.get_object(bucket, "hello").data.decode())
    print("listed", [item.object_name for item in client.list_objects(bucket)])
    client.remove_object(bucket, "hello")
except S3Error as e:
    print("refused", e.response.status)
