import Telemetry

extension Double {
    /// The number with as few digits as tell it from its neighbours.
    var shortest: String {
        var json = JSONWriter(capacity: 24)
        json.number(self)
        return json.text
    }

    /// The same without an exponent, which XML's decimals may not have.
    var decimal: String {
        let text = shortest
        guard let mark = text.firstIndex(of: "e"), let power = Int(text[text.index(after: mark)...])
        else { return text }
        let sign = self < 0 ? "-" : ""
        let parts = text[..<mark].drop { $0 == "-" }.split(separator: ".")
        let whole = parts.first.map(String.init) ?? ""
        let digits = whole + (parts.count > 1 ? parts[1] : "")
        let point = whole.count + power
        guard point > 0 else {
            return sign + "0." + String(repeating: "0", count: -point) + digits
        }
        guard point < digits.count else {
            return sign + digits + String(repeating: "0", count: point - digits.count)
        }
        return sign + digits.prefix(point) + "." + digits.dropFirst(point)
    }

    /// The number with exactly `decimals` digits after the point.
    func fixed(_ decimals: Int) -> String {
        let scale = (0..<decimals).reduce(1.0) { product, _ in product * 10 }
        let digits = "\(Int64((magnitude * scale).rounded()))"
        let padded = String(repeating: "0", count: max(decimals + 1 - digits.count, 0)) + digits
        let sign = self < 0 ? "-" : ""
        return "\(sign)\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
    }
}
