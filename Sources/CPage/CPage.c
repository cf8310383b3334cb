#include "CPage.h"

// The page's files as they are. `#embed` is C23, and costs a build nothing; as a Swift array of their
// bytes they took the compiler 13 seconds.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "../Console/Page/index.html"
};
static const unsigned char address_js[] = {
#embed "../Console/Page/address.js"
};
static const unsigned char alarms_js[] = {
#embed "../Console/Page/alarms.js"
};
static const unsigned char api_js[] = {
#embed "../Console/Page/api.js"
};
static const unsigned char app_js[] = {
#embed "../Console/Page/app.js"
};
static const unsigned char bell_svg[] = {
#embed "../Console/Page/bell.svg"
};
static const unsigned char camera_js[] = {
#embed "../Console/Page/camera.js"
};
static const unsigned char commands_js[] = {
#embed "../Console/Page/commands.js"
};
static const unsigned char details_css[] = {
#embed "../Console/Page/details.css"
};
static const unsigned char details_js[] = {
#embed "../Console/Page/details.js"
};
static const unsigned char dom_js[] = {
#embed "../Console/Page/dom.js"
};
static const unsigned char draft_js[] = {
#embed "../Console/Page/draft.js"
};
static const unsigned char events_js[] = {
#embed "../Console/Page/events.js"
};
static const unsigned char filter_js[] = {
#embed "../Console/Page/filter.js"
};
static const unsigned char fleet_js[] = {
#embed "../Console/Page/fleet.js"
};
static const unsigned char format_js[] = {
#embed "../Console/Page/format.js"
};
static const unsigned char gather_js[] = {
#embed "../Console/Page/gather.js"
};
static const unsigned char geometry_js[] = {
#embed "../Console/Page/geometry.js"
};
static const unsigned char glide_js[] = {
#embed "../Console/Page/glide.js"
};
static const unsigned char ground_js[] = {
#embed "../Console/Page/ground.js"
};
static const unsigned char groundart_js[] = {
#embed "../Console/Page/groundart.js"
};
static const unsigned char groundlabels_js[] = {
#embed "../Console/Page/groundlabels.js"
};
static const unsigned char groundnames_js[] = {
#embed "../Console/Page/groundnames.js"
};
static const unsigned char groundstyle_js[] = {
#embed "../Console/Page/groundstyle.js"
};
static const unsigned char groundtiles_js[] = {
#embed "../Console/Page/groundtiles.js"
};
static const unsigned char groundworker_js[] = {
#embed "../Console/Page/groundworker.js"
};
static const unsigned char groupart_js[] = {
#embed "../Console/Page/groupart.js"
};
static const unsigned char held_js[] = {
#embed "../Console/Page/held.js"
};
static const unsigned char history_css[] = {
#embed "../Console/Page/history.css"
};
static const unsigned char history_js[] = {
#embed "../Console/Page/history.js"
};
static const unsigned char hours_js[] = {
#embed "../Console/Page/hours.js"
};
static const unsigned char icon_svg[] = {
#embed "../Console/Page/icon.svg"
};
static const unsigned char inbox_js[] = {
#embed "../Console/Page/inbox.js"
};
static const unsigned char keyboard_js[] = {
#embed "../Console/Page/keyboard.js"
};
static const unsigned char kiosk_css[] = {
#embed "../Console/Page/kiosk.css"
};
static const unsigned char kiosk_js[] = {
#embed "../Console/Page/kiosk.js"
};
static const unsigned char layout_css[] = {
#embed "../Console/Page/layout.css"
};
static const unsigned char links_js[] = {
#embed "../Console/Page/links.js"
};
static const unsigned char list_js[] = {
#embed "../Console/Page/list.js"
};
static const unsigned char main_js[] = {
#embed "../Console/Page/main.js"
};
static const unsigned char map_css[] = {
#embed "../Console/Page/map.css"
};
static const unsigned char map_js[] = {
#embed "../Console/Page/map.js"
};
static const unsigned char markerart_js[] = {
#embed "../Console/Page/markerart.js"
};
static const unsigned char markers_js[] = {
#embed "../Console/Page/markers.js"
};
static const unsigned char mvt_js[] = {
#embed "../Console/Page/mvt.js"
};
static const unsigned char network_js[] = {
#embed "../Console/Page/network.js"
};
static const unsigned char overlay_js[] = {
#embed "../Console/Page/overlay.js"
};
static const unsigned char panel_css[] = {
#embed "../Console/Page/panel.css"
};
static const unsigned char placeart_js[] = {
#embed "../Console/Page/placeart.js"
};
static const unsigned char placeboard_js[] = {
#embed "../Console/Page/placeboard.js"
};
static const unsigned char placecard_js[] = {
#embed "../Console/Page/placecard.js"
};
static const unsigned char placeeditor_js[] = {
#embed "../Console/Page/placeeditor.js"
};
static const unsigned char placelayer_js[] = {
#embed "../Console/Page/placelayer.js"
};
static const unsigned char placelist_js[] = {
#embed "../Console/Page/placelist.js"
};
static const unsigned char places_css[] = {
#embed "../Console/Page/places.css"
};
static const unsigned char places_js[] = {
#embed "../Console/Page/places.js"
};
static const unsigned char placeshape_js[] = {
#embed "../Console/Page/placeshape.js"
};
static const unsigned char preferences_js[] = {
#embed "../Console/Page/preferences.js"
};
static const unsigned char proposals_js[] = {
#embed "../Console/Page/proposals.js"
};
static const unsigned char protobuf_js[] = {
#embed "../Console/Page/protobuf.js"
};
static const unsigned char routeart_js[] = {
#embed "../Console/Page/routeart.js"
};
static const unsigned char routes_js[] = {
#embed "../Console/Page/routes.js"
};
static const unsigned char sprites_js[] = {
#embed "../Console/Page/sprites.js"
};
static const unsigned char states_js[] = {
#embed "../Console/Page/states.js"
};
static const unsigned char stream_js[] = {
#embed "../Console/Page/stream.js"
};
static const unsigned char streamworker_js[] = {
#embed "../Console/Page/streamworker.js"
};
static const unsigned char theme_css[] = {
#embed "../Console/Page/theme.css"
};
static const unsigned char view_js[] = {
#embed "../Console/Page/view.js"
};
static const unsigned char words_de_js[] = {
#embed "../Console/Page/words-de.js"
};
static const unsigned char words_en_js[] = {
#embed "../Console/Page/words-en.js"
};
static const unsigned char words_js[] = {
#embed "../Console/Page/words.js"
};

#define FILE_NAMED(name, bytes) {name, bytes, sizeof(bytes)}

static const struct PageFile page_files[] = {
    FILE_NAMED("index.html", index_html),
    FILE_NAMED("address.js", address_js),
    FILE_NAMED("alarms.js", alarms_js),
    FILE_NAMED("api.js", api_js),
    FILE_NAMED("app.js", app_js),
    FILE_NAMED("bell.svg", bell_svg),
    FILE_NAMED("camera.js", camera_js),
    FILE_NAMED("commands.js", commands_js),
    FILE_NAMED("details.css", details_css),
    FILE_NAMED("details.js", details_js),
    FILE_NAMED("dom.js", dom_js),
    FILE_NAMED("draft.js", draft_js),
    FILE_NAMED("events.js", events_js),
    FILE_NAMED("filter.js", filter_js),
    FILE_NAMED("fleet.js", fleet_js),
    FILE_NAMED("format.js", format_js),
    FILE_NAMED("gather.js", gather_js),
    FILE_NAMED("geometry.js", geometry_js),
    FILE_NAMED("glide.js", glide_js),
    FILE_NAMED("ground.js", ground_js),
    FILE_NAMED("groundart.js", groundart_js),
    FILE_NAMED("groundlabels.js", groundlabels_js),
    FILE_NAMED("groundnames.js", groundnames_js),
    FILE_NAMED("groundstyle.js", groundstyle_js),
    FILE_NAMED("groundtiles.js", groundtiles_js),
    FILE_NAMED("groundworker.js", groundworker_js),
    FILE_NAMED("groupart.js", groupart_js),
    FILE_NAMED("held.js", held_js),
    FILE_NAMED("history.css", history_css),
    FILE_NAMED("history.js", history_js),
    FILE_NAMED("hours.js", hours_js),
    FILE_NAMED("icon.svg", icon_svg),
    FILE_NAMED("inbox.js", inbox_js),
    FILE_NAMED("keyboard.js", keyboard_js),
    FILE_NAMED("kiosk.css", kiosk_css),
    FILE_NAMED("kiosk.js", kiosk_js),
    FILE_NAMED("layout.css", layout_css),
    FILE_NAMED("links.js", links_js),
    FILE_NAMED("list.js", list_js),
    FILE_NAMED("main.js", main_js),
    FILE_NAMED("map.css", map_css),
    FILE_NAMED("map.js", map_js),
    FILE_NAMED("markerart.js", markerart_js),
    FILE_NAMED("markers.js", markers_js),
    FILE_NAMED("mvt.js", mvt_js),
    FILE_NAMED("network.js", network_js),
    FILE_NAMED("overlay.js", overlay_js),
    FILE_NAMED("panel.css", panel_css),
    FILE_NAMED("placeart.js", placeart_js),
    FILE_NAMED("placeboard.js", placeboard_js),
    FILE_NAMED("placecard.js", placecard_js),
    FILE_NAMED("placeeditor.js", placeeditor_js),
    FILE_NAMED("placelayer.js", placelayer_js),
    FILE_NAMED("placelist.js", placelist_js),
    FILE_NAMED("places.css", places_css),
    FILE_NAMED("places.js", places_js),
    FILE_NAMED("placeshape.js", placeshape_js),
    FILE_NAMED("preferences.js", preferences_js),
    FILE_NAMED("proposals.js", proposals_js),
    FILE_NAMED("protobuf.js", protobuf_js),
    FILE_NAMED("routeart.js", routeart_js),
    FILE_NAMED("routes.js", routes_js),
    FILE_NAMED("sprites.js", sprites_js),
    FILE_NAMED("states.js", states_js),
    FILE_NAMED("stream.js", stream_js),
    FILE_NAMED("streamworker.js", streamworker_js),
    FILE_NAMED("theme.css", theme_css),
    FILE_NAMED("view.js", view_js),
    FILE_NAMED("words-de.js", words_de_js),
    FILE_NAMED("words-en.js", words_en_js),
    FILE_NAMED("words.js", words_js),
};

const struct PageFile *page_file(size_t index) {
    return index < sizeof(page_files) / sizeof(page_files[0]) ? &page_files[index] : NULL;
}
