// What the operator of the server has told everybody, while it is shown.

export const announced = $state({ text: '' });
