// The standard library's pointwiseMax and pointwiseMin go through the lanes one by one, and are not inlined.

extension SIMD where Scalar: Comparable {
    /// Returns the greater of both numbers in each lane.
    @inline(__always)
    func greatest(_ other: Self) -> Self { replacing(with: other, where: self .< other) }

    /// Returns the smaller of both numbers in each lane.
    @inline(__always)
    func least(_ other: Self) -> Self { replacing(with: other, where: other .< self) }
}
