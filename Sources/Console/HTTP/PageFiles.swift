/// The live map's own files, compiled into the program from the folder `Page`.
enum PageFiles {
    /// All but the page itself, by name.
    static let all: [(name: String, bytes: [UInt8])] = [
        ("api.js", PackageResources.api_js),
        ("app.js", PackageResources.app_js),
        ("camera.js", PackageResources.camera_js),
        ("commands.js", PackageResources.commands_js),
        ("details.css", PackageResources.details_css),
        ("details.js", PackageResources.details_js),
        ("dom.js", PackageResources.dom_js),
        ("events.js", PackageResources.events_js),
        ("filter.js", PackageResources.filter_js),
        ("fleet.js", PackageResources.fleet_js),
        ("format.js", PackageResources.format_js),
        ("geometry.js", PackageResources.geometry_js),
        ("glide.js", PackageResources.glide_js),
        ("held.js", PackageResources.held_js),
        ("icon.svg", PackageResources.icon_svg),
        ("keyboard.js", PackageResources.keyboard_js),
        ("layout.css", PackageResources.layout_css),
        ("list.js", PackageResources.list_js),
        ("main.js", PackageResources.main_js),
        ("map.css", PackageResources.map_css),
        ("map.js", PackageResources.map_js),
        ("markers.js", PackageResources.markers_js),
        ("network.js", PackageResources.network_js),
        ("panel.css", PackageResources.panel_css),
        ("routeart.js", PackageResources.routeart_js),
        ("routes.js", PackageResources.routes_js),
        ("sprites.js", PackageResources.sprites_js),
        ("states.js", PackageResources.states_js),
        ("stream.js", PackageResources.stream_js),
        ("theme.css", PackageResources.theme_css),
        ("view.js", PackageResources.view_js),
    ]

    /// The page itself, with marks where the settings go.
    static var index: [UInt8] { PackageResources.index_html }
}
