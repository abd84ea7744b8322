describe('a file that ends its process', () => {
  it('is a failure', () => process.exit(0));
});
