// Scans QR codes with the camera, if the browser can.

/** In browsers, but not yet in TypeScript's types. */
interface BarcodeDetector {
  detect(image: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}
declare const BarcodeDetector: { new (options: { formats: string[] }): BarcodeDetector };

/** Why scanning is impossible: an insecure context, or a browser that cannot; `null` if it is
 * possible. */
export function cannotScan(): 'insecure' | 'unable' | null {
  if (!isSecureContext) return 'insecure';
  return 'BarcodeDetector' in window && navigator.mediaDevices ? null : 'unable';
}

/** The text of the first code in view. Rejects without a camera or permission; ends with the
 * signal. */
export async function read(video: HTMLVideoElement, signal: AbortSignal): Promise<string> {
  const detector = new BarcodeDetector({ formats: ['qr_code'] });
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: 'environment' },
  });
  const stop = () => stream.getTracks().forEach((track) => track.stop());
  try {
    signal.addEventListener('abort', stop);
    video.srcObject = stream;
    await video.play();
    for (;;) {
      signal.throwIfAborted();
      const [seen] = await detector.detect(video);
      if (seen) return seen.rawValue;
      await new Promise((resume) => setTimeout(resume, 150));
    }
  } finally {
    stop();
  }
}
