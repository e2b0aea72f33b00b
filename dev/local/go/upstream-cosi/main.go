// COSI as released, v0.2.2: the controller and the sidecar of the reference implementation, which act by the name they
// are called by. All decisions, RPCs and writes are the reference's own packages. The loop around them (informers, queue,
// lease) is ours: the module that holds the reference's, .../internal, is not published.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
	"sigs.k8s.io/container-object-storage-interface/client/apis/objectstorage/v1alpha1"
	"sigs.k8s.io/container-object-storage-interface/client/clientset/versioned"
	"sigs.k8s.io/container-object-storage-interface/client/clientset/versioned/scheme"
	"sigs.k8s.io/container-object-storage-interface/client/informers/externalversions"
	"sigs.k8s.io/container-object-storage-interface/controller/pkg/bucketclaim"
	cosi "sigs.k8s.io/container-object-storage-interface/proto"
	"sigs.k8s.io/container-object-storage-interface/sidecar/pkg/bucket"
	"sigs.k8s.io/container-object-storage-interface/sidecar/pkg/bucketaccess"
	"sigs.k8s.io/container-object-storage-interface/sidecar/pkg/provisioner"
)

const (
	workers       = 40
	firstRetry    = 100 * time.Millisecond
	longestRetry  = 30 * time.Second
	leaseDuration = 150 * time.Second
	renewDeadline = 120 * time.Second
	retryPeriod   = 60 * time.Second
)

func main() {
	klog.InitFlags(nil)
	kubeconfig := flag.String("kubeconfig", os.Getenv("KUBECONFIG"), "path to kubeconfig file")
	driver := flag.String("driver-addr", "unix:///var/lib/cosi/cosi.sock", "socket of the driver; the sidecar's")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	var err error
	switch name := filepath.Base(os.Args[0]); name {
	case "upstream-cosi-controller":
		err = runController(ctx, *kubeconfig)
	case "upstream-cosi-sidecar":
		err = runSidecar(ctx, *kubeconfig, *driver)
	default:
		err = fmt.Errorf("%s is not a program of this binary; call it as upstream-cosi-controller or upstream-cosi-sidecar", name)
	}
	if err != nil {
		klog.ErrorS(err, "Exiting on error")
		os.Exit(1)
	}
}

func runController(ctx context.Context, kubeconfig string) error {
	process, err := connect(kubeconfig, "cosi-controller-manager")
	if err != nil {
		return err
	}
	claims := newLoop(process, bucketclaim.NewBucketClaimListener(), process.informers.Objectstorage().V1alpha1().BucketClaims().Informer())
	return process.run(ctx, "leader-lock-cosi-controller-manager", claims)
}

func runSidecar(ctx context.Context, kubeconfig, address string) error {
	client, err := provisioner.NewDefaultCOSIProvisionerClient(ctx, address, false)
	if err != nil {
		return err
	}
	info, err := client.DriverGetInfo(ctx, &cosi.DriverGetInfoRequest{})
	if err != nil {
		return err
	}
	process, err := connect(kubeconfig, "cosi")
	if err != nil {
		return err
	}
	kinds := process.informers.Objectstorage().V1alpha1()
	buckets := newLoop[*v1alpha1.Bucket](process, bucket.NewBucketListener(info.Name, client), kinds.Buckets().Informer())
	accesses := newLoop[*v1alpha1.BucketAccess](process, bucketaccess.NewBucketAccessListener(info.Name, client), kinds.BucketAccesses().Informer())
	lease := regexp.MustCompile("[^a-z0-9-]").ReplaceAllString(strings.ToLower(info.Name), "-") + "-cosi"
	return process.run(ctx, lease, buckets, accesses)
}

type process struct {
	kube      kubernetes.Interface
	cosi      versioned.Interface
	informers externalversions.SharedInformerFactory
	recorder  record.EventRecorder
}

func connect(kubeconfig, component string) (*process, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	// Not client-go's 5 per second: tests would wait for it.
	config.QPS = 200
	config.Burst = 400
	kube, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	client, err := versioned.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	broadcaster := record.NewBroadcaster()
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: kube.CoreV1().Events("")})
	return &process{
		kube:      kube,
		cosi:      client,
		informers: externalversions.NewSharedInformerFactory(client, 0),
		recorder:  broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: component}),
	}, nil
}

// run returns when the lease is lost or the context ends; the lease is released.
func (p *process) run(ctx context.Context, lease string, loops ...interface{ run(context.Context) }) error {
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	namespace := os.Getenv("POD_NAMESPACE")
	if namespace == "" {
		namespace = "default"
	}
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: namespace, Name: lease},
			Client:     p.kube.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: host},
		},
		LeaseDuration:   leaseDuration,
		RenewDeadline:   renewDeadline,
		RetryPeriod:     retryPeriod,
		ReleaseOnCancel: true,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {
				p.informers.Start(ctx.Done())
				p.informers.WaitForCacheSync(ctx.Done())
				for _, loop := range loops {
					go loop.run(ctx)
				}
			},
			OnStoppedLeading: func() {},
		},
	})
	return nil
}

// listener is what the reference's listeners have in common.
type listener[T any] interface {
	Add(ctx context.Context, object T) error
	Update(ctx context.Context, old, new T) error
	Delete(ctx context.Context, object T) error
	InitializeKubeClient(client kubernetes.Interface)
	InitializeBucketClient(client versioned.Interface)
	InitializeEventRecorder(recorder record.EventRecorder)
}

// loop calls a listener for one kind: one call per object at a time, repeated with back-off until it succeeds.
type loop[T any] struct {
	listener listener[T]
	store    cache.Store
	queue    workqueue.TypedRateLimitingInterface[string]
	lock     sync.Mutex
	handled  map[string]T
}

func newLoop[T any](p *process, listener listener[T], informer cache.SharedIndexInformer) *loop[T] {
	listener.InitializeKubeClient(p.kube)
	listener.InitializeBucketClient(p.cosi)
	listener.InitializeEventRecorder(p.recorder)
	l := &loop[T]{
		listener: listener,
		store:    informer.GetStore(),
		queue: workqueue.NewTypedRateLimitingQueue(
			workqueue.NewTypedItemExponentialFailureRateLimiter[string](firstRetry, longestRetry)),
		handled: map[string]T{},
	}
	add := func(object any) {
		if key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(object); err == nil {
			l.queue.Add(key)
		}
	}
	if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    add,
		UpdateFunc: func(_, object any) { add(object) },
		DeleteFunc: add,
	}); err != nil {
		panic(err)
	}
	return l
}

func (l *loop[T]) run(ctx context.Context) {
	for range workers {
		go func() {
			for l.next(ctx) {
			}
		}()
	}
	<-ctx.Done()
	l.queue.ShutDown()
}

func (l *loop[T]) next(ctx context.Context) bool {
	key, shutdown := l.queue.Get()
	if shutdown {
		return false
	}
	defer l.queue.Done(key)
	if err := l.call(ctx, key); err != nil {
		klog.ErrorS(err, "Retrying", "object", key)
		l.queue.AddRateLimited(key)
	} else {
		l.queue.Forget(key)
	}
	return true
}

func (l *loop[T]) call(ctx context.Context, key string) error {
	current, exists, err := l.store.GetByKey(key)
	if err != nil {
		return err
	}
	l.lock.Lock()
	former, known := l.handled[key]
	if exists {
		l.handled[key] = current.(T)
	}
	l.lock.Unlock()
	switch {
	case exists && known:
		return l.listener.Update(ctx, former, current.(T))
	case exists:
		return l.listener.Add(ctx, current.(T))
	case known:
		if err := l.listener.Delete(ctx, former); err != nil {
			return err
		}
		l.lock.Lock()
		delete(l.handled, key)
		l.lock.Unlock()
	}
	return nil
}
