// The floor of what Waygate is compared with: a libmosquitto client that only counts.
//
//     CountingClient PORT FILTER QOS COUNT
//
// Prints `ready` when it is subscribed, `done` when it has counted enough, and then waits to be ended.
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static long wanted, counted;

static void on_subscribe(struct mosquitto *client, void *state, int id, int count, const int *granted) {
    puts("ready");
    fflush(stdout);
}

static void on_message(struct mosquitto *client, void *state, const struct mosquitto_message *message) {
    if (++counted != wanted) return;
    puts("done");
    fflush(stdout);
}

int main(int argc, char **argv) {
    if (argc != 5) {
        fprintf(stderr, "usage: CountingClient PORT FILTER QOS COUNT\n");
        return 2;
    }
    wanted = atol(argv[4]);
    mosquitto_lib_init();
    char name[40];
    snprintf(name, sizeof name, "counter-%d", (int)getpid());
    struct mosquitto *client = mosquitto_new(name, true, NULL);
    // As many messages ahead of their acknowledgement as the worker takes.
    mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
    mosquitto_int_option(client, MOSQ_OPT_RECEIVE_MAXIMUM, 65535);
    mosquitto_subscribe_callback_set(client, on_subscribe);
    mosquitto_message_callback_set(client, on_message);
    int result = mosquitto_connect(client, "127.0.0.1", atoi(argv[1]), 60);
    if (result == MOSQ_ERR_SUCCESS) result = mosquitto_subscribe(client, NULL, argv[2], atoi(argv[3]));
    while (result == MOSQ_ERR_SUCCESS) result = mosquitto_loop(client, 1000, 1);
    fprintf(stderr, "%s\n", mosquitto_strerror(result));
    return 1;
}
