//===- Interrupt.cpp - Calls that Ctrl-C ends -----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interrupt.h"
#include "Native.h"
#include "TensorAccess/Core/Progress.h"

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;
using namespace std::chrono_literals;

/// How often the main thread looks for signals, and how long it waits for a
/// call that was told to stop.
static constexpr auto kPoll = 20ms, kGrace = 50ms, kExitGrace = 500ms;

//===----------------------------------------------------------------------===//
// Calls and workers
//===----------------------------------------------------------------------===//

namespace {
/// A call, kept by the last of the two threads to let go of it. Python's
/// objects are touched with the GIL only.
struct Call {
  nb::object function, arguments, keywords;
  PyObject *result = nullptr;
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  std::atomic<bool> isCancelled{false};
  Progress progress;

  std::mutex mutex;
  std::condition_variable changed;
  bool isDone = false, isAbandoned = false;

  /// With the GIL.
  void run() {
    CancellationScope scope(&isCancelled);
    ProgressScope seen(&progress);
    result = PyObject_Call(function.ptr(), arguments.ptr(), keywords.ptr());
    if (!result)
      PyErr_Fetch(&type, &value, &trace);
  }
  /// Drops all objects; with the GIL.
  void clear() {
    function.reset();
    arguments.reset();
    keywords.reset();
    Py_CLEAR(result);
    Py_CLEAR(type);
    Py_CLEAR(value);
    Py_CLEAR(trace);
  }
};

struct Worker {
  std::mutex mutex;
  std::condition_variable changed;
  std::shared_ptr<Call> next;
};

/// All that the threads share. Never destroyed: they may outlive main.
struct Pool {
  const pid_t process = getpid();
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<Worker *> idle;
  std::vector<std::shared_ptr<Call>> abandoned;
  /// Workers that wait for the GIL; none may start to once Python ends.
  int waiting = 0;
  bool isClosed = false;
};
} // namespace

static thread_local bool isWorker = false;

/// The pool of this process: after a fork there are no workers.
static Pool &getPool() {
  static Pool *pool = nullptr;
  if (!pool || pool->process != getpid())
    pool = new Pool();
  return *pool;
}

/// Runs `take`, which takes the GIL.
template <typename Fn>
static void takeGil(Fn take) {
  if (!isWorker)
    return take();
  Pool &pool = getPool();
  {
    std::unique_lock lock(pool.mutex);
    // Taking it now would end this thread in the middle of C++.
    while (pool.isClosed)
      pool.changed.wait(lock);
    ++pool.waiting;
  }
  take();
  std::lock_guard lock(pool.mutex);
  --pool.waiting;
  pool.changed.notify_all();
}

void python::restoreThread(PyThreadState *state) {
  takeGil([&] { PyEval_RestoreThread(state); });
}

AcquireGil::AcquireGil() {
  takeGil([&] { state = PyGILState_Ensure(); });
}

/// The life of a worker: call by call.
static void work(Pool &pool, Worker &self) {
  isWorker = true;
  while (true) {
    std::shared_ptr<Call> call;
    {
      std::unique_lock lock(self.mutex);
      self.changed.wait(lock, [&] { return self.next != nullptr; });
      call = std::move(self.next);
    }
    {
      AcquireGil gil;
      call->run();
      std::lock_guard lock(call->mutex);
      call->isDone = true;
      if (call->isAbandoned)
        call->clear();
      call->changed.notify_all();
    }
    std::lock_guard lock(pool.mutex);
    llvm::erase(pool.abandoned, call);
    pool.idle.push_back(&self);
    pool.changed.notify_all();
  }
}

static void start(Pool &pool, std::shared_ptr<Call> call) {
  Worker *worker = nullptr;
  {
    std::lock_guard lock(pool.mutex);
    if (!pool.idle.empty()) {
      worker = pool.idle.back();
      pool.idle.pop_back();
    }
  }
  if (!worker) {
    worker = new Worker();
    std::thread([&pool, worker] { work(pool, *worker); }).detach();
  }
  std::lock_guard lock(worker->mutex);
  worker->next = std::move(call);
  worker->changed.notify_one();
}

//===----------------------------------------------------------------------===//
// The main thread
//===----------------------------------------------------------------------===//

/// Destructors of globals would run under the feet of a call that is left.
static void endProcess(int status, void *) {
  Pool &pool = getPool();
  {
    std::lock_guard lock(pool.mutex);
    if (pool.abandoned.empty())
      return;
  }
  std::fflush(nullptr);
  _exit(status);
}

/// Step 3. With the GIL and an exception that is set.
static void abandon(Pool &pool, const std::shared_ptr<Call> &call) {
  call->isCancelled = true;
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  bool isDone = false;
  {
    PyThreadState *state = PyEval_SaveThread();
    {
      std::unique_lock lock(call->mutex);
      isDone =
          call->changed.wait_for(lock, kGrace, [&] { return call->isDone; });
      if (!isDone) {
        call->isAbandoned = true;
        std::lock_guard poolLock(pool.mutex);
        pool.abandoned.push_back(call);
      }
    }
    PyEval_RestoreThread(state);
  }
  if (isDone) {
    call->clear();
  } else {
    static std::once_flag once;
    std::call_once(once, [] { on_exit(endProcess, nullptr); });
  }
  PyErr_Restore(type, value, trace);
}

/// Whether this is the thread whose calls Python interrupts.
static bool isMainThread() {
  static PyObject *mainThread = nullptr;
  if (!mainThread)
    mainThread =
        nb::object(nb::module_::import_("threading").attr("main_thread"))
            .release()
            .ptr();
  nb::object thread = nb::steal(PyObject_CallNoArgs(mainThread));
  return nb::cast<unsigned long>(thread.attr("ident")) ==
         PyThread_get_thread_ident();
}

/// What shows progress, or null, of calls that take how long, and how often:
/// see `bindInterrupt`.
static PyObject *showProgress = nullptr;
static std::chrono::duration<double> showAfter, showEvery;

/// Shows how far a call is, if it counts; false with an exception.
static bool showSteps(PyObject *function, const Progress &progress,
                      bool &isShown) {
  const char *unit = progress.unit;
  if (!unit)
    return true;
  isShown = true;
  nb::object name = nb::steal(PyObject_GetAttrString(function, "__name__"));
  if (!name)
    return false;
  return nb::steal(
             PyObject_CallFunction(showProgress, "OsLL", name.ptr(), unit,
                                   static_cast<long long>(progress.done),
                                   static_cast<long long>(progress.total)))
      .is_valid();
}

/// Ends what `showSteps` has begun, whatever exception is set.
static void endShow() {
  if (!showProgress)
    return;
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  nb::object none = nb::steal(PyObject_CallNoArgs(showProgress));
  if (!none)
    PyErr_WriteUnraisable(showProgress);
  PyErr_Restore(type, value, trace);
}

/// Steps 1 and 2. As PyObject_Call.
static PyObject *callInterruptibly(PyObject *function, PyObject *arguments,
                                   PyObject *keywords) {
  Pool &pool = getPool();
  if (isWorker || pool.isClosed || !isMainThread())
    return PyObject_Call(function, arguments, keywords);
  auto call = std::make_shared<Call>();
  call->function = nb::borrow(function);
  call->arguments = nb::borrow(arguments);
  if (keywords)
    call->keywords = nb::borrow(keywords);
  start(pool, call);
  const auto begin = std::chrono::steady_clock::now();
  auto shown = begin;
  bool isShown = false;
  while (true) {
    PyThreadState *state = PyEval_SaveThread();
    bool isDone;
    {
      std::unique_lock lock(call->mutex);
      isDone =
          call->changed.wait_for(lock, kPoll, [&] { return call->isDone; });
    }
    PyEval_RestoreThread(state);
    if (isDone)
      break;
    const auto now = std::chrono::steady_clock::now();
    const bool isTime =
        showProgress && now - begin >= showAfter && now - shown >= showEvery;
    if (PyErr_CheckSignals() != 0 ||
        (isTime && !showSteps(function, call->progress, isShown))) {
      abandon(pool, call);
      if (isShown)
        endShow();
      return nullptr;
    }
    if (isTime)
      shown = now;
  }
  if (isShown)
    endShow();
  PyObject *result = std::exchange(call->result, nullptr);
  if (!result) {
    PyErr_Restore(call->type, call->value, call->trace);
    call->type = call->value = call->trace = nullptr;
  }
  call->clear();
  return result;
}

/// Step 4, before Python ends.
static void settle() {
  Pool &pool = getPool();
  ReleaseGil release;
  std::unique_lock lock(pool.mutex);
  for (const std::shared_ptr<Call> &call : pool.abandoned)
    call->isCancelled = true;
  pool.changed.wait_for(lock, kExitGrace,
                        [&] { return pool.abandoned.empty(); });
  pool.isClosed = true;
  pool.changed.wait(lock, [&] { return pool.waiting == 0; });
  if (!pool.abandoned.empty())
    nb::set_leak_warnings(false);
}

//===----------------------------------------------------------------------===//
// The wrapper, a type of Python's
//===----------------------------------------------------------------------===//

namespace {
/// A function, which binds to an instance if the one that it wraps does.
struct Interruptible {
  PyObject_HEAD PyObject *function;
  bool isMethod;
};
} // namespace

static PyObject *callWrapper(PyObject *self, PyObject *arguments,
                             PyObject *keywords) {
  return callInterruptibly(reinterpret_cast<Interruptible *>(self)->function,
                           arguments, keywords);
}

static PyObject *bindWrapper(PyObject *self, PyObject *instance, PyObject *) {
  if (!instance || !reinterpret_cast<Interruptible *>(self)->isMethod)
    return Py_NewRef(self);
  return PyMethod_New(self, instance);
}

/// Name, documentation and signature are the function's.
static PyObject *getAttribute(PyObject *self, PyObject *name) {
  // Every type has documentation, if only None.
  if (PyUnicode_CompareWithASCIIString(name, "__doc__") != 0) {
    if (PyObject *own = PyObject_GenericGetAttr(self, name))
      return own;
    PyErr_Clear();
  }
  return PyObject_GetAttr(reinterpret_cast<Interruptible *>(self)->function,
                          name);
}

static PyObject *describeWrapper(PyObject *self) {
  return PyObject_Repr(reinterpret_cast<Interruptible *>(self)->function);
}

static void destroyWrapper(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  Py_DECREF(reinterpret_cast<Interruptible *>(self)->function);
  type->tp_free(self);
  Py_DECREF(type);
}

static PyTypeObject *getWrapperType() {
  static PyTypeObject *type = [] {
    static PyType_Slot slots[] = {
        {Py_tp_call, reinterpret_cast<void *>(callWrapper)},
        {Py_tp_descr_get, reinterpret_cast<void *>(bindWrapper)},
        {Py_tp_getattro, reinterpret_cast<void *>(getAttribute)},
        {Py_tp_repr, reinterpret_cast<void *>(describeWrapper)},
        {Py_tp_dealloc, reinterpret_cast<void *>(destroyWrapper)},
        {0, nullptr}};
    static PyType_Spec spec = {"tensoraccess._native.interruptible",
                               sizeof(Interruptible), 0, Py_TPFLAGS_DEFAULT,
                               slots};
    return reinterpret_cast<PyTypeObject *>(PyType_FromSpec(&spec));
  }();
  return type;
}

/// The function of a class or module `scope`, wrapped.
static nb::object wrap(nb::handle function) {
  PyTypeObject *type = getWrapperType();
  auto *self = reinterpret_cast<Interruptible *>(type->tp_alloc(type, 0));
  if (!self)
    throw nb::python_error();
  self->function = Py_NewRef(function.ptr());
  self->isMethod =
      nb::cast<std::string>(
          nb::handle(reinterpret_cast<PyObject *>(Py_TYPE(function.ptr())))
              .attr("__name__")) == "nb_method";
  return nb::steal(reinterpret_cast<PyObject *>(self));
}

/// Functions and methods.
static void makeInterruptible(nb::object scope,
                              const std::vector<std::string> &names) {
  for (const std::string &name : names)
    nb::setattr(scope, name.c_str(), wrap(nb::getattr(scope, name.c_str())));
}

/// nanobind calls the constructor that it knows, whatever `__init__` is now.
static void callInit(nb::handle type) {
  reinterpret_cast<PyTypeObject *>(type.ptr())->tp_vectorcall = nullptr;
}

void python::bindInterrupt(nb::module_ &m) {
  m.def(
      "call_init", &callInit, nb::arg("type"),
      nb::sig("def call_init(type: type) -> None"),
      "Makes calls of a class of this module call its `__init__`, which may be "
      "one of Python's.");
  m.def("make_interruptible", &makeInterruptible, nb::arg("scope"),
        nb::arg("names"),
        "Lets Ctrl-C end calls of functions of a module or a class, by name.");
  m.def(
      "show_progress",
      [](nb::object function, double after, double every) {
        Py_XDECREF(showProgress);
        showProgress = function.is_none() ? nullptr : function.release().ptr();
        showAfter = std::chrono::duration<double>(after);
        showEvery = std::chrono::duration<double>(every);
      },
      nb::arg("function").none(), nb::arg("after") = 1.0,
      nb::arg("every") = 0.1,
      "Names what shows how far calls are that take longer, in seconds: a "
      "function of the call's name, what is counted, how many are done and how "
      "many there are at most; without arguments at the end. None: nothing.");
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&settle));
}
