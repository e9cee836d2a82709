// QR codes before the camera, where the browser can read them.

/** Part of browsers, but not of TypeScript's own types yet. */
interface BarcodeDetector {
  detect(image: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}
declare const BarcodeDetector: { new (options: { formats: string[] }): BarcodeDetector };

/** Why nothing can be scanned here: an insecure context, or a browser that cannot; `null` if it can. */
export function cannotScan(): 'insecure' | 'unable' | null {
  if (!isSecureContext) return 'insecure';
  return 'BarcodeDetector' in window && navigator.mediaDevices ? null : 'unable';
}

/** The text of the first code that the camera sees. Rejects where there is no camera or no permission to
 * use it; ends with the signal. */
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
