// three.js, a client that nobody here wrote, draws a lit, shadowed, textured scene on an Indium canvas.

import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { createCanvas } from '../src/index.ts';
import { createRandom, fractalNoise } from './shared/random.ts';
import { blend, paintPixels } from './shared/textures.ts';
import { comparePicture } from './testing/compare-picture.ts';

const [WIDTH, HEIGHT] = [320, 240];

/** Planks, with mipmaps made by the driver. */
function createFloorTexture(): THREE.DataTexture {
  const pixels = paintPixels(256, (u, v) => {
    const board = Math.floor(v * 4);
    const grain = fractalNoise(u * 4, v * 48, 64, 4, board);
    const joint = Math.min(Math.abs(((v * 4 + 0.5) % 1) - 0.5) / 0.03, 1);
    const wood = blend([0.34, 0.2, 0.1], [0.66, 0.45, 0.26], grain * 1.3 - 0.1 + (board % 2) * 0.08);
    return blend([0.09, 0.05, 0.03], wood, joint);
  });
  const texture = new THREE.DataTexture(pixels, 256, 256);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  texture.minFilter = THREE.LinearMipmapLinearFilter;
  texture.magFilter = THREE.LinearFilter;
  texture.generateMipmaps = true;
  texture.repeat.set(5, 5);
  texture.needsUpdate = true;
  return texture;
}

function createScene(): { scene: THREE.Scene; camera: THREE.PerspectiveCamera } {
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(0xa8c0d8);
  scene.fog = new THREE.Fog(0xa8c0d8, 9, 22);
  const camera = new THREE.PerspectiveCamera(42, WIDTH / HEIGHT, 0.1, 50);
  camera.position.set(4.2, 3.1, 6.2);
  camera.lookAt(0, 0.7, 0);

  const sun = new THREE.DirectionalLight(0xfff0d8, 3);
  sun.position.set(-3.5, 6, 3);
  sun.castShadow = true;
  sun.shadow.mapSize.set(1024, 1024);
  Object.assign(sun.shadow.camera, { left: -5, right: 5, top: 5, bottom: -5, near: 1, far: 16 });
  sun.shadow.normalBias = 0.02;
  scene.add(sun, new THREE.HemisphereLight(0xb8d4ff, 0x5a4632, 1.1));

  const floor = new THREE.Mesh(
    new THREE.PlaneGeometry(40, 40),
    new THREE.MeshStandardMaterial({ map: createFloorTexture(), roughness: 0.75 }),
  );
  floor.rotation.x = -Math.PI / 2;
  floor.receiveShadow = true;
  scene.add(floor);

  const add = (geometry: THREE.BufferGeometry, parameters: THREE.MeshStandardMaterialParameters, at: THREE.Vector3) => {
    const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial(parameters));
    mesh.position.copy(at);
    mesh.castShadow = mesh.receiveShadow = true;
    scene.add(mesh);
    return mesh;
  };
  const knot = new THREE.TorusKnotGeometry(0.62, 0.2, 128, 20);
  add(knot, { color: 0xd03a2a, roughness: 0.28, metalness: 0.1 }, new THREE.Vector3(0, 1.25, 0)).rotation.y = 0.7;
  add(new THREE.SphereGeometry(0.6, 40, 24), { color: 0xe8e4dc, roughness: 0.12 }, new THREE.Vector3(2, 0.6, 1.1));
  const box = add(
    new THREE.BoxGeometry(1, 1, 1),
    { color: 0x2f6f9f, roughness: 0.55 },
    new THREE.Vector3(-1.9, 0.5, 1),
  );
  box.rotation.y = 0.5;
  const cone = new THREE.ConeGeometry(0.65, 1.5, 40);
  add(cone, { color: 0x3f8f4f, roughness: 0.6 }, new THREE.Vector3(-1.1, 0.75, -1.9));
  const icosahedron = new THREE.IcosahedronGeometry(0.6);
  add(icosahedron, { color: 0xd8a02a, flatShading: true, roughness: 0.4 }, new THREE.Vector3(1.6, 0.55, -1.6));

  const random = createRandom(8);
  const pebbles = new THREE.InstancedMesh(
    new THREE.SphereGeometry(0.09, 12, 8),
    new THREE.MeshStandardMaterial({ roughness: 0.5 }),
    60,
  );
  for (let index = 0; index < pebbles.count; index++) {
    const [angle, radius] = [random() * 2 * Math.PI, 2.6 + random() * 1.6];
    const matrix = new THREE.Matrix4().makeTranslation(Math.sin(angle) * radius, 0.09, Math.cos(angle) * radius);
    pebbles.setMatrixAt(index, matrix);
    pebbles.setColorAt(index, new THREE.Color().setHSL(random(), 0.6, 0.5));
  }
  pebbles.castShadow = true;
  scene.add(pebbles);
  return { scene, camera };
}

describe('three.js', () => {
  it('draws a lit, shadowed, textured scene with WebGL 2', () => {
    const canvas = createCanvas(WIDTH, HEIGHT);
    const context = canvas.getContext('webgl2', { antialias: true }) as WebGL2RenderingContext;
    const renderer = new THREE.WebGLRenderer({ canvas: canvas as unknown as HTMLCanvasElement, context });
    // Faults in programs must not pass as a warning in the console.
    const faults: string[] = [];
    renderer.debug.onShaderError = (gl, program) => faults.push(gl.getProgramInfoLog(program) ?? 'link failed');
    renderer.setSize(WIDTH, HEIGHT, false);
    renderer.shadowMap.enabled = true;
    renderer.toneMapping = THREE.ACESFilmicToneMapping;
    const { scene, camera } = createScene();
    renderer.render(scene, camera);
    const picture = canvas.toBuffer('image/png');
    const error = context.getError();
    renderer.dispose();
    canvas.dispose();
    expect(faults).toEqual([]);
    expect(error).toBe(0);
    expect(comparePicture('three', picture, { threshold: 0.06, share: 0.005 })).toBeNull();
  });
});
