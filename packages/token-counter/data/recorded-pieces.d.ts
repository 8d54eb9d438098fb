/** Pieces that recorded probes force, divided by U+0001, by vocabulary. */
export declare const recordedV3: string;
export declare const recordedV47: string;
