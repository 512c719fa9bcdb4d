/* Gives leafmint's threads 20 ms more with each lock of the interpreter that they get. To be preloaded. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <unistd.h>

int sem_wait(sem_t *lock) {
    int (*wait)(sem_t *) = (int (*)(sem_t *))dlsym(RTLD_NEXT, "sem_wait");
    int result = wait(lock);
    char name[16] = "";
    pthread_getname_np(pthread_self(), name, sizeof name);
    if (strncmp(name, "leafmint", 8) == 0) {
        usleep(20000);
    }
    return result;
}
