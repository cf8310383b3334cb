import Geometry
import Store
import Telemetry
import Tracking
import Watching

/// How commands move the places.
extension Fleet {
    /// Carries a command for a place out, or publishes why not.
    func placeCommand(_ name: String, placeID: String, _ entry: Entry) {
        let message = decodePlaceCommand(name, entry)
        if let id = message.commandID, placeCommands.holds(placeID, id, at: entry.receivedAt) {
            return
        }
        switch message.outcome {
        case .success(.put(let content)): put(content, placeID, message, entry)
        case .success(.delete): delete(placeID, message, entry)
        case .failure(let refusal): refuse(refusal, placeID, message, entry)
        }
    }

    private func decodePlaceCommand(_ name: String, _ entry: Entry) -> PlaceCommandMessage {
        guard entry.payloadLength <= settings.maxPayloadBytes else {
            let refusal = Refusal(
                .invalidCommand,
                "the payload has \(entry.payloadLength) bytes, more than the "
                    + "\(settings.maxPayloadBytes) allowed")
            return PlaceCommandMessage(name: name, commandID: nil, outcome: .failure(refusal))
        }
        return placeCommandDecoder.decode(
            name: name, payload: entry.payload, isRetained: entry.isRetained,
            limits: settings.placeLimits, maxBytes: settings.maxPayloadBytes)
    }

    private func put(
        _ content: PlaceContent, _ id: String, _ message: PlaceCommandMessage, _ entry: Entry
    ) {
        guard book.place(id) != nil || book.count < settings.placeBounds.places else {
            let refusal = Refusal(
                .tooManyPlaces,
                "there are \(book.count) places, as many as limits.max_places allows")
            return refuse(refusal, id, message, entry)
        }
        noteDone(id, message, entry)
        switch book.put(id, content, at: entry.receivedAt) {
        case .none(let place):
            // Who gave an id may wait for the answer.
            guard message.commandID != nil else { return }
            tell(.put(place, isChanged: false), id, message, entry)
        case .put(let place, let change):
            tell(.put(place, isChanged: true), id, message, entry)
            publishDefinition(of: id, entry)
            followRoadblock(id, place, entry)
            changes?.places.append(row(of: place, entry))
            tellWatches(.placePut(change), entry)
        }
    }

    private func delete(_ id: String, _ message: PlaceCommandMessage, _ entry: Entry) {
        noteDone(id, message, entry)
        guard let place = book.place(id) else {
            guard message.commandID != nil else { return }
            return tell(.deleted(revision: nil), id, message, entry)
        }
        tellWatches(.placeDeleted(id: id), entry)
        book.remove(id)
        followRoadblock(id, nil, entry)
        var row = row(of: place, entry)
        row.deletedAt = entry.receivedAt.microseconds
        changes?.places.append(row)
        tell(.deleted(revision: place.revision), id, message, entry)
        publishDefinition(of: id, entry)
    }

    private func noteDone(_ id: String, _ message: PlaceCommandMessage, _ entry: Entry) {
        tally.commands[message.name, default: 0] += 1
        if let commandID = message.commandID {
            placeCommands.note(id, commandID, at: entry.receivedAt)
        }
        record(message, id, entry, refusal: nil)
    }

    private func refuse(
        _ refusal: Refusal, _ id: String, _ message: PlaceCommandMessage, _ entry: Entry
    ) {
        tally.refusals[refusal.reason.rawValue, default: 0] += 1
        record(message, id, entry, refusal: refusal)
        tell(.rejected(command: message.name, refusal), id, message, entry)
    }

    private func record(
        _ message: PlaceCommandMessage, _ id: String, _ entry: Entry, refusal: Refusal?
    ) {
        changes?.placeCommands.append(
            PlaceCommandRow(
                placeID: id, commandID: message.commandID, name: message.name,
                receivedAt: entry.receivedAt.microseconds, reason: refusal?.reason.rawValue,
                entry: entry.position))
    }

    /// Stores and publishes what a place tells of itself.
    private func tell(
        _ kind: PlaceEvent.Kind, _ id: String, _ message: PlaceCommandMessage, _ entry: Entry
    ) {
        tell(
            kind, id, as: EventID.place(spoolID: spoolID, position: entry.position),
            commandID: message.commandID, entry)
    }

    /// Stores and publishes what a place tells of itself, as the event of an id.
    func tell(
        _ kind: PlaceEvent.Kind, _ id: String, as eventID: String, commandID: String?,
        _ entry: Entry
    ) {
        let event = PlaceEvent(
            id: eventID, placeID: id, time: entry.receivedAt, commandID: commandID, kind: kind)
        json.reset()
        PlaceEventEncoder.encode(event, into: &json)
        publish(
            EventRow(
                home: .alarms, eventID: event.id, tripID: nil, vehicleID: nil, placeID: id,
                sequence: nil, type: kind.type, occurredAt: entry.receivedAt.microseconds,
                body: json.text, entry: entry.position),
            of: .place(id), topic: "event/\(kind.type)", entry)
    }

    /// Publishes a place as it is in force; emptiness where it is not.
    private func publishDefinition(of id: String, _ entry: Entry) {
        guard isLive else { return }
        outbox.publications.append(
            definition(
                of: id, position: entry.position + 1, receivedAt: entry.receivedAt.microseconds))
    }

    /// A place as it is in force, ready to be published again.
    ///
    /// - Parameter position: The spool position after what it comes of; the next entry where it comes of nothing new.
    func definition(of id: String, position: Int64? = nil) -> Publication {
        let putAt = book.place(id)?.putAt.microseconds ?? 0
        return definition(of: id, position: position ?? self.position, receivedAt: putAt)
    }

    private func definition(
        of id: String, position: Int64, receivedAt: Microseconds
    ) -> Publication {
        json.reset()
        if let place = book.place(id) { PlaceEncoder.encode(definition: place, into: &json) }
        return Publication(
            .definition, of: .place(id), topic: topic(.place(id), "definition"),
            payload: json.bytes, position: position, receivedAt: receivedAt)
    }

    /// The newest state of a place's row.
    func row(of place: Place, _ entry: Entry) -> PlaceRow {
        json.reset()
        PlaceEncoder.encode(definition: place, into: &json)
        let definition = json.text
        json.reset()
        PlaceEncoder.encode(outline: place.content.area, into: &json)
        return PlaceRow(
            placeID: place.id, revision: place.revision, name: place.name,
            category: place.content.category, level: place.content.level?.written,
            parent: place.content.profile?.parent, definition: definition, area: json.text,
            squareMetres: place.content.area.squareMetres, putAt: place.putAt.microseconds,
            closedSince: book.roadblocks.closedSince(place.id)?.microseconds, entry: entry.position)
    }
}
