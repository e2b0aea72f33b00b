# Downloads the Python SDKs of Azure Blob Storage, Google Cloud Storage and MinIO into a virtual environment of their own.
# Tests use them as applications do.
# usage: sh store-sdks.sh DESTINATION
set -eu
mkdir -p "$1"
python3 -m venv "$1/python"
"$1/python/bin/python" -m pip install --no-cache-dir --progress-bar off --only-binary :all: \
    azure-storage-blob==12.31.1 google-cloud-storage==3.17.1 minio==7.2.20
"$1/python/bin/python" -c 'import azure.storage.blob, google.cloud.storage, minio'
